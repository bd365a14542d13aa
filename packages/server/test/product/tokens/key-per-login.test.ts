import { expect, test } from 'vitest'
import { HOUR, isoTime, MINUTE } from '../../../src/kernel/clock.ts'
import { INVALID_TOKEN, KEY, LOGGED_OUT } from '../../support/answers.ts'
import { currentLogin, isSignedIn, loginsOf } from '../../support/devices.ts'
import { countRows, dump } from '../../support/dump.ts'
import { startMode } from '../../support/modes.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const PER_LOGIN = { TOKEN_CREATOR: 'per_login' } as const
const NEW_PASSWORD = 'another horse battery staple'

const start = (input: object = {}) => startMode('token', { REST_AUTH: PER_LOGIN, ...input })

const keyIn = ({ body }: { body: unknown }) => (body as { key: string }).key

test('every login gets a key of its own, which is an entry of sessions/', async () => {
  const { logIn, db } = await start()
  const callers = await Promise.all([1, 2, 3].map(() => logIn()))
  for (const { reply } of callers) expect(reply).toMatchReply(200, KEY)
  expect(new Set(callers.map(({ reply }) => keyIn(reply))).size).toBe(3)
  expect(await countRows(db, 'tokens')).toBe(0)

  const [one] = callers
  if (!one) throw new Error('Nobody is logged in.')
  const listed = await loginsOf(one)
  expect(listed).toHaveLength(3)
  for (const login of listed) {
    expect(login).toMatchObject({ method: 'password', expires_at: null, address: '127.0.0.1' })
  }
  expect(listed.filter(({ current }) => current)).toHaveLength(1)
})

test('a use of a key is a use of its login alone', async () => {
  const { logIn, clock } = await start()
  const [one] = [await logIn(), await logIn()]
  const begun = clock.now()
  clock.advance(2 * MINUTE)
  expect(await isSignedIn(one)).toBe(true)
  const uses = (await loginsOf(one)).map((login) => [login.current, login.last_used_at])
  expect(uses).toEqual([
    [false, isoTime(begun)],
    [true, isoTime(begun + 2 * MINUTE)],
  ])
})

test('only digests are stored', async () => {
  const { logIn, db } = await start()
  const keys = [keyIn((await logIn()).reply), keyIn((await logIn()).reply)]
  const text = JSON.stringify(await dump(db))
  for (const key of keys) expect(text).not.toContain(key)
})

test('a logout, or the end of its entry, ends one key and no other', async () => {
  const { logIn } = await start()
  const [one, two, three] = [await logIn(), await logIn(), await logIn()]
  expect(await one.post('logout/')).toMatchReply(200, LOGGED_OUT)
  expect(await one.get('user/')).toMatchReply(401, INVALID_TOKEN)
  const { id } = await currentLogin(two)
  expect((await three.delete(`sessions/${id}/`)).status).toBe(204)
  expect(await two.get('user/')).toMatchReply(401, INVALID_TOKEN)
  expect(await isSignedIn(three)).toBe(true)
})

test('end-others and a new password end the other keys, and keep this one as it is', async () => {
  const { logIn } = await start()
  const [one, two] = [await logIn(), await logIn()]
  const ended = await one.post('sessions/end-others/')
  expect(ended).toMatchReply(200, { detail: 'Logged out everywhere else.' })
  expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([true, false])

  const three = await logIn()
  const passwords = { new_password1: NEW_PASSWORD, new_password2: NEW_PASSWORD }
  expect((await one.post('password/change/', passwords)).status).toBe(200)
  expect([await isSignedIn(one), await isSignedIn(three)]).toEqual([true, false])
})

test('with LOGOUT_ON_PASSWORD_CHANGE, by an operator and with the account, all of them end', async () => {
  const strict = { REST_AUTH: { ...PER_LOGIN, LOGOUT_ON_PASSWORD_CHANGE: true } }
  const { logIn, administration, findUser, db } = await start(strict)
  const passwords = { new_password1: NEW_PASSWORD, new_password2: NEW_PASSWORD }
  const [one, two] = [await logIn(), await logIn()]
  expect((await one.post('password/change/', passwords)).status).toBe(200)
  expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, false])

  await administration.setPassword(await findUser('ada'), PASSWORD)
  const [three, four] = [await logIn(), await logIn()]
  await administration.deactivate(await findUser('ada'))
  expect([await isSignedIn(three), await isSignedIn(four)]).toEqual([false, false])
  expect(await countRows(db, 'logins')).toBe(0)
})

test('beside a session, both belong to one login and end together', async () => {
  const { newBrowser, createUser } = await startAuth({ REST_AUTH: PER_LOGIN })
  await createUser({ username: 'ada' })
  const browser = newBrowser()
  const reply = await browser.post('login/', { username: 'ada', password: PASSWORD })
  const byKey = { get: (path: string) => newBrowser().get(path, { token: keyIn(reply) }) }
  expect(await loginsOf(byKey)).toHaveLength(1)
  expect((await browser.post('logout/', {}, browser.csrf())).status).toBe(200)
  expect(await byKey.get('user/')).toMatchReply(401, INVALID_TOKEN)
})

test('a key that was shared before, or came from Django, stays valid until its own logout', async () => {
  const before = await startAuth({}, { shared: true })
  const shared = await before.createUserWithToken('ada')
  const settings = { ...before.settings, REST_AUTH: { ...before.settings.REST_AUTH, ...PER_LOGIN } }
  const after = await startAuth({ REST_AUTH: PER_LOGIN }, { beside: { ...before, settings } })
  expect((await after.request.get('user/', { token: shared })).status).toBe(200)

  const reply = await after.request.post('login/', { username: 'ada', password: PASSWORD })
  const own = keyIn(reply)
  expect(own).not.toBe(shared)
  // The instance that still has the old setting accepts both.
  for (const token of [own, shared]) {
    expect((await before.request.get('user/', { token })).status).toBe(200)
  }
  expect((await after.request.post('logout/', {}, { token: own })).status).toBe(200)
  const browser = await after.logInBrowser('ada')
  expect((await browser.post('logout/', {}, browser.csrf())).status).toBe(200)
  expect((await after.request.get('user/', { token: shared })).status).toBe(200)
  expect((await after.request.post('logout/', {}, { token: shared })).status).toBe(200)
  expect(await after.request.get('user/', { token: shared })).toMatchReply(401, INVALID_TOKEN)
})

test.each(['one', 'per_login'] as const)(
  '%s: a key expires when TOKEN_LIFETIME has passed',
  async (creator) => {
    const input = { REST_AUTH: { TOKEN_CREATOR: creator }, TOKEN_LIFETIME: '1h' } as const
    const { logIn, clock, auth, db } = await start(input)
    const one = await logIn()
    const ends = new Date(clock.now() + HOUR).toISOString()
    expect(await currentLogin(one)).toMatchObject({ expires_at: ends })
    clock.advance(HOUR - 1)
    expect(await isSignedIn(one)).toBe(true)
    clock.advance(1)
    expect(await one.get('user/')).toMatchReply(401, INVALID_TOKEN)

    const two = await logIn()
    expect(keyIn(two.reply)).not.toBe(keyIn(one.reply))
    expect(await loginsOf(two)).toHaveLength(1)
    expect(await isSignedIn(one)).toBe(false)
    clock.advance(HOUR)
    await auth.sweep()
    expect([await countRows(db, 'tokens'), await countRows(db, 'logins')]).toEqual([0, 0])
  },
)

test('many parallel logins get as many keys, of which the newest hundred are kept', async () => {
  const { logIn, db } = await start()
  const callers = await Promise.all(Array.from({ length: 64 }, () => logIn()))
  expect(new Set(callers.map(({ reply }) => keyIn(reply))).size).toBe(64)
  expect(await countRows(db, 'logins')).toBe(64)
  for (let more = 0; more < 40; more++) await logIn()
  expect(await countRows(db, 'logins')).toBe(100)
})
