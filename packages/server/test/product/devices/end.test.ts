import { expect, test } from 'vitest'
import { DAY } from '../../../src/kernel/clock.ts'
import { NOT_FOUND } from '../../support/answers.ts'
import { currentLogin, isSignedIn, loginsOf } from '../../support/devices.ts'
import { countRows } from '../../support/dump.ts'
import { notValid } from '../../support/jwt.ts'
import { type Mode, modes, startMode } from '../../support/modes.ts'

const WITH_LOGINS = modes.filter((mode) => mode !== 'token')

/** Two instances over one database, and somebody who is logged in twice. */
async function startTwo(mode: Mode) {
  const first = await startMode(mode, {}, { shared: true })
  const second = await startMode(mode, {}, { beside: first })
  return { first, second, here: await first.logIn(), there: await second.logIn() }
}

test.each(WITH_LOGINS)('%s mode: a login that is ended is refused at once', async (mode) => {
  const { first, here, there } = await startTwo(mode)
  const { id } = await currentLogin(there)
  const reply = await here.delete(`sessions/${id}/`)
  expect(reply).toMatchReply(204)
  expect(reply.cookies).toEqual([])
  expect(await isSignedIn(there)).toBe(false)
  expect(await isSignedIn(here)).toBe(true)
  expect((await loginsOf(here)).map((login) => login.current)).toEqual([true])
  expect(await here.delete(`sessions/${id}/`)).toMatchReply(404, NOT_FOUND)
  expect(await countRows(first.db, 'logins')).toBe(1)
})

test('the refresh token of a login that is ended is refused, with the blacklist off, too', async () => {
  const SIMPLE_JWT = { TOKEN_BLACKLIST_ENABLED: false }
  const auth = await startMode('bearer', { SIMPLE_JWT })
  const [here, there] = [await auth.logIn(), await auth.logIn()]
  const { refresh } = there.reply.body as { refresh: string }
  await here.delete(`sessions/${(await currentLogin(there)).id}/`)
  const reply = await auth.request.post('token/refresh/', { refresh })
  expect(reply).toMatchReply(...notValid('Token is blacklisted'))
})

test.each([
  ['session', ['sessionid']],
  ['bearer', []],
  ['cookie', ['jwt-auth', 'jwt-refresh']],
] as const)('%s mode: to end the current login is to log out', async (mode, cleared) => {
  const auth = await startMode(mode)
  const caller = await auth.logIn()
  const { id } = await currentLogin(caller)
  const reply = await caller.delete(`sessions/${id}/`)
  expect(reply).toMatchReply(204)
  const gone = reply.cookies.filter(({ maxAge }) => maxAge === 0).map(({ name }) => name)
  expect(gone.toSorted()).toEqual(cleared)
  expect(await isSignedIn(caller)).toBe(false)
  expect(await countRows(auth.db, 'logins')).toBe(0)
})

test('the token is ended by its entry, by itself or from a session', async () => {
  const auth = await startMode('token', { REST_AUTH: { SESSION_LOGIN: true } })
  const caller = await auth.logIn()
  const { browser } = caller
  expect(await browser.delete('sessions/token/', browser.csrf())).toMatchReply(204)
  expect(await isSignedIn(caller)).toBe(false)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await browser.delete('sessions/token/', browser.csrf())).toMatchReply(404, NOT_FOUND)

  const again = await auth.logIn()
  const reply = await again.delete('sessions/token/')
  expect(reply).toMatchReply(204)
  // The session that the browser has beside it is another entry.
  expect(reply.cookies).toEqual([])
  expect(await isSignedIn(again)).toBe(false)
  expect(await isSignedIn(again.browser)).toBe(true)
})

test.each(modes)('%s mode: the login of somebody else is not found, and goes on', async (mode) => {
  const auth = await startMode(mode, { REST_AUTH: { SESSION_LOGIN: true } })
  await auth.createUser({ username: 'bob' })
  const [ada, bob] = [await auth.logIn('ada'), await auth.logIn('bob')]
  for (const { id } of (await loginsOf(bob)).filter((login) => login.id !== 'token')) {
    expect(await ada.delete(`sessions/${id}/`)).toMatchReply(404, NOT_FOUND)
  }
  expect(await isSignedIn(bob)).toBe(true)
})

test('a login whose id is none is not found', async () => {
  const auth = await startMode('bearer')
  const caller = await auth.logIn()
  for (const id of [
    '0',
    '-1',
    '1.0',
    '01',
    '9'.repeat(11),
    'tokens',
    'x'.repeat(300),
    '%00',
    '٣',
  ]) {
    const reply = await caller.delete(`sessions/${encodeURI(id)}/`)
    expect(reply, id).toMatchReply(404, NOT_FOUND)
  }
  expect(await isSignedIn(caller)).toBe(true)
})

test('a login that has expired is not found', async () => {
  const auth = await startMode('session', { SESSION_COOKIE_AGE: '1d' })
  const { id } = await currentLogin(await auth.logIn())
  auth.clock.advance(DAY)
  const caller = await auth.logIn()
  expect(await caller.delete(`sessions/${id}/`)).toMatchReply(404, NOT_FOUND)
})

test('a session needs its CSRF token to end a login', async () => {
  const auth = await startMode('session')
  const { browser } = await auth.logIn()
  const { id } = await currentLogin(browser)
  expect((await browser.delete(`sessions/${id}/`)).status).toBe(403)
  expect((await browser.post('sessions/end-others/')).status).toBe(403)
  expect(await isSignedIn(browser)).toBe(true)
})

test('what was ended is in the history, without an address or a browser', async () => {
  const auth = await startMode('session')
  const caller = await auth.logIn()
  const other = await auth.logIn()
  const { id } = await currentLogin(other)
  await caller.delete(`sessions/${id}/`)
  await caller.post('sessions/end-others/')
  const { id: pk } = await auth.findUser('ada')
  const history = await auth.administration.history(pk)
  expect(history.map(({ event, details }) => [event, JSON.parse(details)])).toEqual([
    ['other_logins_ended', {}],
    ['login_ended', { login: id }],
  ])
})
