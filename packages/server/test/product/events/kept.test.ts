import { expect, test } from 'vitest'
import type { AccountEvent } from '../../../src/core/hooks.ts'
import { DAY, SECOND } from '../../../src/kernel/clock.ts'
import { signup } from '../../support/accounts.ts'
import { countRows, dump } from '../../support/dump.ts'
import { deliver, hooksFor, inShort, startListening } from '../../support/events.ts'
import { PASSWORD, SECRET_KEY, startAuth } from '../../support/start-auth.ts'
import { SECRET } from '../../support/webhooks.ts'

const LEAVING = { ACCOUNT: { DELETION: true } }
const ADA = { username: 'lovelace-1815', email: 'lovelace-1815@example.com' }

test('without a listener there is no row', async () => {
  const auth = await startAuth()
  await auth.request.post('registration/', signup('ada'))
  expect(await countRows(auth.db, 'events')).toBe(0)
  expect(await countRows(auth.db, 'event_lines')).toBe(0)
})

test('only what a hook listens to is written', async () => {
  const heard: AccountEvent[] = []
  const auth = await startAuth({}, { hooks: { signedIn: (event) => void heard.push(event) } })
  await auth.request.post('registration/', signup('ada'))
  expect(await countRows(auth.db, 'events')).toBe(1)
  await deliver(auth)
  expect(inShort(heard)).toMatchObject([{ type: 'signedIn' }])
})

test('what is rolled back is not told', async () => {
  const { request, db, told } = await startListening()
  await db.schema.alterTable('email_keys').renameTo('elsewhere').execute()
  try {
    expect((await request.post('registration/', signup('ada'))).status).toBe(500)
  } finally {
    await db.schema.alterTable('elsewhere').renameTo('email_keys').execute()
  }
  expect(await countRows(db, 'events')).toBe(0)
  expect(await told()).toEqual([])
})

test('events at rest tell a thief of the database nothing', async () => {
  const { request, db } = await startListening({}, { shared: true })
  await request.post('registration/', { ...signup('x'), ...ADA })
  const before = (await dump(db)).join('\n').split(ADA.email).length
  await db.deleteFrom('events').execute()
  expect((await dump(db)).join('\n').split(ADA.email).length).toBe(before)
})

test('what waits is still told when the account is deleted, and the deletion comes last', async () => {
  const started = await startListening(LEAVING)
  const { request, told, db } = started
  const { body } = await request.post('registration/', { ...signup('x'), ...ADA })
  const { key: token } = body as { key: string }
  const { password1: password } = signup('x')
  expect((await request.post('account/delete/', { password }, { token })).status).toBe(200)
  expect((await dump(db)).join('\n')).not.toContain(ADA.username)
  const events = await told()
  expect(events.map(({ type }) => type)).toEqual(['registered', 'signedIn', 'deleted'])
  expect(events[2]?.user).toMatchObject(ADA)
  expect(await countRows(db, 'events')).toBe(0)
  expect(await countRows(db, 'event_lines')).toBe(0)
})

test('what was given up goes with the account', async () => {
  const { request, db, createUserWithToken } = await startListening(LEAVING)
  const token = await createUserWithToken('ada')
  await createUserWithToken('grace')
  await db.updateTable('events').set({ state: 'dead' }).execute()
  await request.post('account/delete/', { password: PASSWORD }, { token })
  const rows = await db.selectFrom('events').select(['kind', 'state']).orderBy('id').execute()
  expect(rows).toEqual([
    { kind: 'signedIn', state: 'dead' },
    { kind: 'deleted', state: 'queued' },
  ])
})

test('users see in their export what others are still to be told', async () => {
  const { request, createUserWithToken } = await startListening()
  const token = await createUserWithToken('ada')
  const { body } = await request.get('account/export/', { token })
  expect(body).toMatchObject({ events: [{ type: 'signedIn', state: 'queued' }] })
})

test('an event for several receivers is one entry, and waits while one of them lacks it', async () => {
  const started = await startListening({
    WEBHOOKS: [1, 2].map((port) => ({ url: `http://127.0.0.1:${port}`, secret: SECRET })),
  })
  const { request, createUserWithToken, administration, findUser, clock, db } = started
  const token = await createUserWithToken('ada')
  expect(await countRows(db, 'events')).toBe(3)
  clock.advance(SECOND)
  await request.post('login/', { username: 'ada', password: PASSWORD })
  const exported = async () => {
    const { body } = await request.get('account/export/', { token })
    const { events } = body as { events: unknown }
    expect(await administration.export(await findUser('ada'))).toMatchObject({ events })
    return events
  }
  const older = { type: 'signedIn', state: 'queued', created_at: '2030-01-01T12:00:00.000Z' }
  const newer = { ...older, created_at: '2030-01-01T12:00:01.000Z' }
  expect(await exported()).toEqual([newer, older])
  const ids = db.selectFrom('events').select('id').orderBy('id')
  const [one, two, three] = (await ids.execute()).map(({ id }) => id)
  const giveUp = (id = 0) =>
    db.updateTable('events').set({ state: 'dead' }).where('id', '=', id).execute()
  await giveUp(one)
  await giveUp(three)
  expect(await exported()).toEqual([newer, older])
  await giveUp(two)
  expect(await exported()).toEqual([newer, { ...older, state: 'dead' }])
})

test('nothing waits longer than thirty days, and nothing is left of it', async () => {
  const started = await startListening({}, { shared: true })
  await started.createUserWithToken('ada')
  await started.createUserWithToken('grace')
  await started.db.updateTable('events').set({ state: 'dead' }).where('user_id', '=', 1).execute()
  started.clock.advance(30 * DAY - 1)
  await started.auth.sweep()
  expect(await countRows(started.db, 'events')).toBe(2)
  started.clock.advance(1)
  // A program without hooks: nobody would ever look at the lines.
  const other = await startAuth({}, { beside: started })
  await other.auth.sweep()
  for (const table of ['events', 'event_lines'] as const) {
    expect(await countRows(started.db, table), table).toBe(0)
  }
  expect(await started.told()).toEqual([])
})

test('a line whose events are gone is closed, and open for the next one', async () => {
  const started = await startListening()
  await started.createUserWithToken('ada')
  await started.db.deleteFrom('events').execute()
  expect(await started.told()).toEqual([])
  expect(await countRows(started.db, 'event_lines')).toBe(0)
  await started.request.post('login/', { username: 'ada', password: PASSWORD })
  expect(await started.told()).toHaveLength(1)
})

test('after a new secret key events are sealed again, and told', async () => {
  const first = await startListening({}, { shared: true })
  await first.createUserWithToken('ada')
  const heard: AccountEvent[] = []
  const renewed = { SECRET_KEY: 'another secret key for tests, long enough' }
  const hooks = hooksFor((event) => void heard.push(event))
  const second = await startAuth(
    { ...renewed, SECRET_KEY_FALLBACKS: [SECRET_KEY] },
    { beside: first, hooks },
  )
  const { reseal } = second.auth.services
  expect(
    await reseal.run(
      () => {},
      () => false,
    ),
  ).toMatchObject({ unreadable: {}, isDone: true })
  const third = await startAuth(renewed, { beside: first, hooks })
  await deliver(third)
  expect(inShort(heard)).toMatchObject([{ type: 'signedIn', user: 'ada' }])
})

test('an event that no key opens is given up at once', async () => {
  const first = await startListening({}, { shared: true })
  await first.createUserWithToken('ada')
  const renewed = { SECRET_KEY: 'another secret key for tests, long enough' }
  const second = await startListening(renewed, { beside: first })
  expect(await second.told()).toEqual([])
  expect(await second.auth.services.deliveries.listUndelivered(10)).toMatchObject([
    { type: 'signedIn', state: 'dead' },
  ])
})
