import { expect, test } from 'vitest'
import { isoTime, MINUTE, SECOND } from '../../../src/kernel/clock.ts'
import { currentLogin, isSignedIn, loginsOf } from '../../support/devices.ts'
import { modes, startMode } from '../../support/modes.ts'

const LONG = { SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '1h' } }

test.each(modes)('%s mode: the last use is exact to a minute', async (mode) => {
  const auth = await startMode(mode, LONG)
  const caller = await auth.logIn()
  const start = auth.clock.now()
  auth.clock.advance(10 * MINUTE + 59 * SECOND)
  expect(await isSignedIn(caller)).toBe(true)
  expect(await currentLogin(caller)).toMatchObject({
    created_at: isoTime(start),
    last_used_at: isoTime(start + 10 * MINUTE),
  })
})

test.each(modes)('%s mode: a use costs no write, and a minute at most one', async (mode) => {
  const auth = await startMode(mode, LONG)
  const caller = await auth.logIn()
  const stored = async () => {
    const table = mode === 'token' ? 'tokens' : 'logins'
    const row = await auth.db.selectFrom(table).select('last_used_at').executeTakeFirstOrThrow()
    return row.last_used_at
  }
  const start = auth.clock.now()
  auth.clock.advance(3 * MINUTE)
  for (let uses = 0; uses < 3; uses++) expect(await isSignedIn(caller)).toBe(true)
  expect(await stored()).toBe(start)
  await loginsOf(caller)
  expect(await stored()).toBe(start + 3 * MINUTE)
  auth.clock.advance(59 * SECOND)
  await loginsOf(caller)
  expect(await stored()).toBe(start + 3 * MINUTE)
})

test.each(['session', 'token'] as const)(
  '%s mode: the end of the service loses no use',
  async (mode) => {
    const auth = await startMode(mode, LONG, { shared: true })
    const caller = await auth.logIn()
    const other = await startMode(mode, LONG, { beside: auth })
    auth.clock.advance(5 * MINUTE)
    expect(await isSignedIn(caller)).toBe(true)
    await auth.app.close()
    const table = mode === 'token' ? 'tokens' : 'logins'
    const row = await other.db.selectFrom(table).select('last_used_at').executeTakeFirstOrThrow()
    expect(row.last_used_at).toBe(auth.clock.now())
  },
)

test.each(modes)('%s mode: a use is noted for its login alone', async (mode) => {
  const auth = await startMode(mode, LONG)
  await auth.createUser({ username: 'bob' })
  const [ada, bob] = [await auth.logIn('ada'), await auth.logIn('bob')]
  const start = auth.clock.now()
  auth.clock.advance(2 * MINUTE)
  expect(await isSignedIn(ada)).toBe(true)
  expect(await currentLogin(ada)).toMatchObject({ last_used_at: isoTime(start + 2 * MINUTE) })
  const table = mode === 'token' ? 'tokens' : 'logins'
  const { id } = await auth.findUser('bob')
  const ofBob = auth.db.selectFrom(table).select('last_used_at').where('user_id', '=', id)
  expect(await ofBob.execute()).toEqual([{ last_used_at: start }])
  expect(await isSignedIn(bob)).toBe(true)
})

test('an older use never replaces a newer one', async () => {
  const auth = await startMode('session', LONG, { shared: true })
  const caller = await auth.logIn()
  auth.clock.advance(2 * MINUTE)
  expect(await isSignedIn(caller)).toBe(true)
  const newer = auth.clock.now() + 5 * MINUTE
  await auth.db.updateTable('logins').set({ last_used_at: newer }).execute()
  expect(await currentLogin(caller)).toMatchObject({ last_used_at: isoTime(newer) })
})

test('a refresh is a use of its login, too', async () => {
  const auth = await startMode('bearer', LONG)
  const caller = await auth.logIn()
  const start = auth.clock.now()
  auth.clock.advance(7 * MINUTE)
  const { refresh } = caller.reply.body as { refresh: string }
  expect((await auth.request.post('token/refresh/', { refresh })).status).toBe(200)
  const other = await auth.logIn()
  const times = (await loginsOf(other)).map((login) => login.last_used_at)
  expect(times).toEqual([isoTime(start + 7 * MINUTE), isoTime(start + 7 * MINUTE)])
})
