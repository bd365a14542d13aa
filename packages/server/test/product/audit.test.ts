import { expect, test } from 'vitest'
import { DAY } from '../../src/kernel/clock.ts'
import { countRows } from '../support/dump.ts'
import { startAuth } from '../support/start-auth.ts'

test('what happened to an account is kept for a year, and then forgotten', async () => {
  const { auth, clock, db, createUser } = await startAuth()
  const { id: userId } = await createUser({ username: 'ada' })
  await auth.services.audit.record({ userId, event: 'password_changed' })

  clock.advance(365 * DAY)
  await auth.sweep()
  expect(await countRows(db, 'audit_events')).toBe(1)

  clock.advance(1)
  await auth.sweep()
  expect(await countRows(db, 'audit_events')).toBe(0)
})
