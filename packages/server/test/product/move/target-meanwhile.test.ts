import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createPresence } from '../../../src/core/presence.ts'
import { isHalfMoved, markHalfMoved } from '../../../src/storage/half-moved.ts'
import { type Db, handleOf } from '../../../src/storage/handle.ts'
import { keepService } from '../../../src/storage/instances.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { migrations } from '../../../src/storage/migrations/all.ts'
import { move } from '../../../src/storage/move/move.ts'
import { inDatabase, newSqlite, newTarget, serveOn } from '../../support/moves.ts'

const progress = () => ({ at() {}, end() {} })

/** Runs the work after the mover has looked at the target for the first time: it waits for a service. */
async function moveMeanwhile(to: string, work: () => Promise<void>): Promise<void> {
  const from = await newSqlite()
  await (await serveOn(from)).stop()
  await inDatabase(from, async (source) => {
    const db = handleOf<Db>(source.db)
    await keepService(db, 'running', 0)
    let working: Promise<unknown> = Promise.resolve()
    const say = () => {
      working = work().finally(() => keepService(db, 'running', 1))
    }
    await inDatabase(to, (target) =>
      move(source, target, { freezes: true, say, progress, goOn() {} }),
    ).finally(() => working)
  })
}

test('a user who is created in the target while the mover waits is not deleted', async () => {
  const to = await newTarget()
  const moving = moveMeanwhile(to, async () => {
    const { stop, createUser } = await serveOn(to)
    await createUser({ username: 'zoe' })
    await stop()
  })
  await expect(moving).rejects.toThrow('The target has users already.')
  const { findUser } = await serveOn(to)
  expect(await findUser('zoe')).toMatchObject({ username: 'zoe' })
})

test('a service that starts on the target while the mover waits stays ready', async () => {
  const to = await newTarget()
  let request: Awaited<ReturnType<typeof serveOn>>['request'] | undefined
  const moving = moveMeanwhile(to, async () => {
    request = (await serveOn(to)).request
  })
  await expect(moving).rejects.toThrow('A service uses the target.')
  expect((await request?.get('/readyz'))?.status).toBe(200)
})

test('a target that an earlier move has left half moved stays so if a service uses it', async () => {
  const to = await newTarget()
  await (await serveOn(to)).stop()
  await inDatabase(to, async (target) => {
    const db = handleOf<Db>(target.db)
    await markHalfMoved(db)
    const moving = moveMeanwhile(to, async () => void (await keepService(db, 'there', 0)))
    await expect(moving).rejects.toThrow('A service uses the target.')
    expect(await isHalfMoved(target)).toBe(true)
  })
})

test('a move that begins after the migrations of a service is seen before its first request', async () => {
  await inDatabase(await newTarget(), async (target) => {
    await migrate(target, migrations, 0)
    await markHalfMoved(handleOf<Db>(target.db))
    const { join, leave } = createPresence(target, pino({ level: 'silent' }))
    await expect(join()).rejects.toThrow('The database is only half moved')
    // A mover that comes later must not find its row.
    await leave()
    expect(await target.db.selectFrom('latchkey_instances').select('id').execute()).toEqual([])
  })
})
