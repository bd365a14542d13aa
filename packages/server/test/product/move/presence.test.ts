import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPresence } from '../../../src/core/presence.ts'
import { MINUTE } from '../../../src/kernel/clock.ts'
import { type Db, handleOf } from '../../../src/storage/handle.ts'
import { listServices, removeDeadInstances } from '../../../src/storage/instances.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { migrations } from '../../../src/storage/migrations/all.ts'
import { endLeases, inDatabase, newTarget } from '../../support/moves.ts'

test('a service that has stood still for longer than its lease is seen again after its first look', async () => {
  const url = await newTarget()
  await inDatabase(url, async (connection) => {
    await migrate(connection, migrations, 0)
    const db = handleOf<Db>(connection.db)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { join, leave } = createPresence(connection, pino({ level: 'silent' }))
    await join()
    await endLeases(url, 'service')
    // What another instance does.
    await removeDeadInstances(db)
    expect(await listServices(db)).toEqual([])
    // The look that was due begins after this minute, and there is no other one.
    vi.advanceTimersByTime(MINUTE)
    await vi.waitFor(async () => expect(await listServices(db)).toHaveLength(1), {
      timeout: 20_000,
      interval: 0,
    })
    await leave()
    expect(await listServices(db)).toEqual([])
  })
})
