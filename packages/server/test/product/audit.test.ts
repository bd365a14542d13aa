import { expect, test } from 'vitest'
import { DAY } from '../../src/kernel/clock.ts'
import { countRows } from '../support/dump.ts'
import { OPERATOR, startAuth } from '../support/start-auth.ts'

test('what happened to an account is kept for a year, and then forgotten', async () => {
  const { auth, clock, db, createUser } = await startAuth()
  const { id: userId } = await createUser({ username: 'ada' })
  await auth.services.audit.record({ userId, event: 'password_changed' })

  clock.advance(365 * DAY - 1)
  await auth.sweep()
  expect(await countRows(db, 'audit_events')).toBe(1)

  clock.advance(1)
  await auth.sweep()
  expect(await countRows(db, 'audit_events')).toBe(0)
})

test('every change of an operator is recorded, with who and from where', async () => {
  const { administration, db } = await startAuth()
  const account = { username: 'ada', email: '', password: null, verified: false, active: true }
  const ada = await administration.create(account)
  await administration.deactivate(ada)
  await administration.activate(ada)
  await administration.setPassword(ada, 'the new password')
  await administration.revoke(ada)
  const rows = await db.selectFrom('audit_events').selectAll().orderBy('id').execute()
  expect(rows.map(({ event }) => event)).toEqual([
    'user_created',
    'user_deactivated',
    'user_activated',
    'password_set',
    'credentials_revoked',
  ])
  for (const { user_id, details } of rows) {
    expect({ user_id, details: JSON.parse(details) }).toEqual({
      user_id: ada.id,
      details: OPERATOR,
    })
  }
})

test('of a deleted account only the deletion is kept, and others keep their history', async () => {
  const { administration, auth, createUser, db } = await startAuth()
  const ada = await createUser({ username: 'ada' })
  const bob = await createUser({ username: 'bob' })
  for (const { id: userId } of [ada, bob]) {
    await auth.services.audit.record({ userId, event: 'password_changed' })
  }
  await administration.remove(ada)
  const rows = await db.selectFrom('audit_events').select(['user_id', 'event']).execute()
  expect(rows).toEqual([
    { user_id: bob.id, event: 'password_changed' },
    { user_id: ada.id, event: 'user_deleted' },
  ])
})
