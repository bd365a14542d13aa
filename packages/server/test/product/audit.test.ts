import { expect, test } from 'vitest'
import { shownEvent } from '../../src/features/audit/audit.ts'
import { DAY } from '../../src/kernel/clock.ts'
import { OPERATOR } from '../support/administration.ts'
import { countRows } from '../support/dump.ts'
import { offerOf } from '../support/mfa.ts'
import { startAuth } from '../support/start-auth.ts'

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
  const rows = await db
    .selectFrom('audit_events')
    .select(['user_id', 'event'])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { user_id: bob.id, event: 'password_changed' },
    { user_id: ada.id, event: 'user_deleted' },
  ])
})

test('the same thing again and again adds ten rows a day; the first stays and counts the others', async () => {
  const auth = await startAuth()
  const { clock, db, administration } = auth
  const token = await auth.createUserWithToken('ada')
  const { activation_token } = await offerOf(auth, { token })
  const guess = () =>
    auth.request.post('mfa/totp/activate/', { activation_token, code: 'x' }, { token })
  clock.advance(1)
  await guess()
  clock.advance(1)
  await Promise.all(Array.from({ length: 49 }, guess))
  const rows = await db.selectFrom('audit_events').selectAll().orderBy('id').execute()
  expect(rows).toHaveLength(10)
  expect(rows[0]).toMatchObject({ event: 'mfa_refused', at: clock.now() - 1, times: 50 })

  const [ada] = await db.selectFrom('users').select('id').execute()
  const history = (await administration.history(ada?.id ?? 0)).map(shownEvent)
  expect(history.at(-1)).toMatchObject({ times_that_day: 50 })
  expect(history.slice(0, -1).every((row) => !('times_that_day' in row))).toBe(true)

  // Other events, other users and other days are counted separately.
  await auth.auth.services.audit.record({ userId: ada?.id ?? 0, event: 'mfa_activated' })
  await auth.auth.services.audit.record({ userId: 999, event: 'mfa_refused' })
  clock.advance(DAY)
  await auth.auth.services.audit.record({ userId: ada?.id ?? 0, event: 'mfa_refused' })
  expect(await countRows(db, 'audit_events')).toBe(13)
})
