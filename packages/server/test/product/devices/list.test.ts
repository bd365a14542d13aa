import { expect, test } from 'vitest'
import { DAY, isoTime, MINUTE } from '../../../src/kernel/clock.ts'
import { NOT_PROVIDED } from '../../support/answers.ts'
import { browserNamed, currentLogin, loginsOf } from '../../support/devices.ts'
import { callerOf, modes, startMode } from '../../support/modes.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const MODES_WITH_LOGINS = modes.filter((mode) => mode !== 'token')

test.each(MODES_WITH_LOGINS)('%s mode: a user sees each login once, newest first', async (mode) => {
  const auth = await startMode(mode)
  const first = await auth.logIn('ada', { ...browserNamed('Firefox'), from: '192.0.2.1' })
  auth.clock.advance(MINUTE)
  const second = await auth.logIn('ada', { ...browserNamed('Chrome'), from: '2001:db8::7' })
  const listed = await loginsOf(first)
  expect(listed).toEqual([
    {
      id: expect.any(String),
      method: 'password',
      created_at: isoTime(auth.clock.now()),
      last_used_at: isoTime(auth.clock.now()),
      expires_at: expect.any(String),
      address: '2001:db8::7',
      user_agent: 'Chrome',
      current: false,
    },
    expect.objectContaining({ address: '192.0.2.1', user_agent: 'Firefox', current: true }),
  ])
  expect((await currentLogin(second)).id).toBe(listed[0]?.id)
})

test('the shared token is one entry, however often it was returned', async () => {
  const auth = await startMode('token')
  const one = await auth.logIn('ada', browserNamed('Firefox'))
  await auth.logIn('ada', browserNamed('Chrome'))
  const time = isoTime(auth.clock.now())
  expect(await loginsOf(one)).toEqual([
    {
      id: 'token',
      method: 'token',
      created_at: time,
      last_used_at: time,
      expires_at: null,
      address: null,
      user_agent: null,
      current: true,
    },
  ])
})

test('sessions are listed beside the token, and only what sent the request is current', async () => {
  const { createUser, logInBrowser, newBrowser } = await startAuth()
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  const currentOf = async (caller: Parameters<typeof loginsOf>[0]) =>
    (await loginsOf(caller)).map(({ method, current }) => [method, current]).toSorted()
  expect(await currentOf(browser)).toEqual([
    ['password', true],
    ['token', false],
  ])
  const reply = await newBrowser().post('login/', { username: 'ada', password: PASSWORD })
  expect(await currentOf(callerOf(newBrowser(), reply))).toEqual([
    ['password', false],
    ['password', false],
    ['token', true],
  ])
})

test('a session and the JWT pair of one login are one entry', async () => {
  const auth = await startMode('cookie', { REST_AUTH: { SESSION_LOGIN: true } })
  const caller = await auth.logIn()
  expect(caller.browser.cookie('sessionid')).not.toBe('')
  expect(await loginsOf(caller)).toHaveLength(1)
})

test('nobody sees the logins of others, and nobody sees any without a login', async () => {
  const auth = await startMode('bearer')
  await auth.createUser({ username: 'bob' })
  const [ada, bob] = [await auth.logIn('ada'), await auth.logIn('bob')]
  const ids = [await loginsOf(ada), await loginsOf(bob)].map((list) => list.map(({ id }) => id))
  expect(new Set(ids.flat()).size).toBe(2)
  expect(await auth.request.get('sessions/')).toMatchReply(401, NOT_PROVIDED)
})

test('a login that has expired is not listed', async () => {
  const auth = await startMode('session', { SESSION_COOKIE_AGE: '1d' })
  await auth.logIn()
  auth.clock.advance(DAY)
  expect(await loginsOf(await auth.logIn())).toHaveLength(1)
})

test.each([
  ['session', 3, 2, {}, 3],
  ['session', 1, 2, {}, 1],
  ['bearer', 3, 1, { SESSION_LOGIN: false }, 2],
  ['bearer', 3, 1, { SESSION_LOGIN: true }, 3],
  ['bearer', 1, 2, { SESSION_LOGIN: true }, 3],
  ['token', 3, 2, { TOKEN_CREATOR: 'per_login' }, 4],
] as const)(
  '%s mode: with a session of %i days and refresh tokens of %i, and %j, a login goes on for %i',
  async (mode, session, refresh, restAuth, days) => {
    const auth = await startMode(mode, {
      SESSION_COOKIE_AGE: `${session}d`,
      SIMPLE_JWT: { REFRESH_TOKEN_LIFETIME: `${refresh}d`, ACCESS_TOKEN_LIFETIME: '1d' },
      TOKEN_LIFETIME: '4d',
      REST_AUTH: restAuth,
    })
    const { expires_at } = await currentLogin(await auth.logIn())
    expect(expires_at).toBe(isoTime(auth.clock.now() + days * DAY))
  },
)

test('a rotated pair prolongs its login, and no other', async () => {
  const SIMPLE_JWT = { ROTATE_REFRESH_TOKENS: true, REFRESH_TOKEN_LIFETIME: '1d' }
  const auth = await startMode('bearer', { SIMPLE_JWT })
  const { reply } = await auth.logIn()
  await auth.logIn()
  auth.clock.advance(DAY / 2)
  const { refresh } = reply.body as { refresh: string }
  const refreshed = await auth.request.post('token/refresh/', { refresh })
  const caller = callerOf(auth.newBrowser(), refreshed)
  const days = (await loginsOf(caller)).map(
    ({ expires_at }) => (Date.parse(expires_at ?? '') - auth.clock.now()) / DAY,
  )
  expect(days).toEqual([expect.closeTo(0.5, 2), expect.closeTo(1, 2)])
})

test('what a browser calls itself is plain text, and is cut', async () => {
  const auth = await startMode('session')
  const named = async (userAgent: string) =>
    (await currentLogin(await auth.logIn('ada', browserNamed(userAgent)))).user_agent
  expect(await named('x'.repeat(5000))).toBe('x'.repeat(200))
  expect(await named('  Fire\tfox \u0085\u00ad ')).toBe('Firefox')
  expect(await named('<script>alert(1)</script>')).toBe('<script>alert(1)</script>')
  expect(await named('')).toBe('')
})

test('behind a proxy the address is that of the client', async () => {
  const auth = await startMode('session', { REST_FRAMEWORK: { NUM_PROXIES: 1 } })
  const call = { headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.4' }, from: '10.0.0.1' }
  expect((await currentLogin(await auth.logIn('ada', call))).address).toBe('198.51.100.4')
})
