import { expect, test } from 'vitest'
import { countRows } from '../../support/dump.ts'
import {
  badBearer,
  bearer,
  COOKIES,
  CREDENTIALS,
  notValid,
  type Pair,
  ROTATING,
  startJwt,
  startJwtBrowser,
} from '../../support/jwt.ts'

const DONE = [200, { detail: 'Successfully logged out.' }] as const
const BLACKLISTED = notValid('Token is blacklisted')
const CLEARED = [
  { name: 'jwt-auth', value: '', maxAge: 0, path: '/', httpOnly: true, sameSite: 'lax' },
  { name: 'jwt-refresh', value: '', maxAge: 0, path: '/', httpOnly: true, sameSite: 'lax' },
]

test.each(['the body', 'the access token'])('a logout by %s ends the family', async (way) => {
  const { request, logIn, refresh, getUser, db } = await startJwt()
  const pair = await logIn()
  const other = await logIn()
  const reply =
    way === 'the body'
      ? await request.post('logout/', { refresh: pair.refresh })
      : await request.post('logout/', {}, bearer(pair.access))
  expect(reply).toMatchReply(...DONE)
  expect(await getUser(pair.access)).toMatchReply(...badBearer('Token is invalid'))
  expect(await refresh(pair.refresh)).toMatchReply(...BLACKLISTED)
  const verified = await request.post('token/verify/', { token: pair.refresh })
  expect(verified).toMatchReply(...BLACKLISTED)
  expect((await getUser(other.access)).status).toBe(200)
  expect(await countRows(db, 'logins')).toBe(1)
})

test('a logout by the refresh cookie alone ends the family and clears the cookies', async () => {
  const { browser, request, refresh } = await startJwtBrowser()
  const token = browser.cookie('jwt-refresh')
  const reply = await request.post('logout/', {}, { cookies: { 'jwt-refresh': token } })
  expect(reply).toMatchReply(...DONE)
  expect(reply.cookies).toMatchObject(CLEARED)
  expect(await refresh(token)).toMatchReply(...BLACKLISTED)
})

test('cookies are cleared with the attributes they were set with', async () => {
  const { browser } = await startJwtBrowser({
    REST_AUTH: {
      JWT_AUTH_REFRESH_COOKIE_PATH: '/auth/token',
      JWT_AUTH_COOKIE_DOMAIN: 'example.com',
      JWT_AUTH_SECURE: true,
      JWT_AUTH_SAMESITE: 'Strict',
    },
  })
  const { cookies } = await browser.post('logout/')
  const common = { value: '', maxAge: 0, secure: true, sameSite: 'strict', domain: 'example.com' }
  expect(cookies).toMatchObject([
    { name: 'jwt-auth', path: '/', ...common },
    { name: 'jwt-refresh', path: '/auth/token', ...common },
  ])
})

test('a bad token in the body is refused by its name, and the cookies are cleared', async () => {
  const { request, logIn, clock, getUser } = await startJwt({
    REST_AUTH: { ...COOKIES, JWT_AUTH_HTTPONLY: false },
  })
  const pair = await logIn()
  const ended = await logIn()
  await request.post('logout/', { refresh: ended.refresh })
  const cases = [
    ['bad', 'Token is invalid'],
    [pair.access, 'Token has wrong type'],
    [ended.refresh, 'Token is blacklisted'],
  ] as const
  for (const [refresh, detail] of cases) {
    const reply = await request.post('logout/', { refresh })
    expect(reply).toMatchReply(401, { detail })
    expect(reply.cookies.map(({ name, maxAge }) => [name, maxAge])).toEqual([
      ['jwt-auth', 0],
      ['jwt-refresh', 0],
    ])
  }
  expect((await getUser(pair.access)).status).toBe(200)
  clock.advance(86_400_000)
  const late = await request.post('logout/', { refresh: pair.refresh })
  expect(late).toMatchReply(401, { detail: 'Token is expired' })
})

test('a rotated token does not log out quietly: its family ends, and it is refused', async () => {
  const { request, logIn, refresh } = await startJwt({ SIMPLE_JWT: ROTATING })
  const pair = await logIn()
  const next = (await refresh(pair.refresh)).body as Pair
  const reply = await request.post('logout/', { refresh: pair.refresh })
  expect(reply).toMatchReply(401, { detail: 'Token is blacklisted' })
  expect(await refresh(next.refresh)).toMatchReply(...BLACKLISTED)
})

test('a bad token in the cookie is ignored, and cleared', async () => {
  const { request } = await startJwt({ REST_AUTH: COOKIES })
  const cookies = { 'jwt-auth': 'bad', 'jwt-refresh': 'bad' }
  const reply = await request.post('logout/', {}, { cookies })
  expect(reply).toMatchReply(...DONE)
  expect(reply.cookies).toMatchObject(CLEARED)
})

test.each([
  ['without CSRF tokens', false],
  ['with CSRF tokens', true],
])('the access cookie alone ends its login beside the header of a proxy, %s', async (_, asks) => {
  // The refresh cookie does not reach `logout/`.
  const { browser, request, refresh } = await startJwtBrowser({
    REST_AUTH: { JWT_AUTH_COOKIE_USE_CSRF: asks, JWT_AUTH_REFRESH_COOKIE_PATH: '/auth/token/' },
  })
  const token = browser.cookie('jwt-refresh')
  const cookies = {
    'jwt-auth': browser.cookie('jwt-auth'),
    ...(asks && { csrftoken: browser.cookie('csrftoken') }),
  }
  const logOut = (more: Record<string, string>) => {
    const headers = { authorization: 'Basic dXNlcjpwYXNz', ...more }
    return request.post('logout/', {}, { cookies, headers })
  }
  const origin = 'https://evil.example'
  expect((await logOut({ origin })).status).toBe(403)
  expect(await logOut({ origin, authorization: 'Other x' })).toMatchReply(...DONE)
  if (asks) expect(await logOut({})).toMatchReply(...DONE)
  expect((await request.get('user/', { cookies })).status).toBe(200)
  expect(await logOut(asks ? browser.csrf().headers : {})).toMatchReply(...DONE)
  expect((await request.get('user/', { cookies })).status).toBe(401)
  expect(await refresh(token)).toMatchReply(...BLACKLISTED)
})

test('a bad Authorization header is refused beside good cookies, which are cleared', async () => {
  const { browser, refresh } = await startJwtBrowser({
    REST_AUTH: { SESSION_LOGIN: true },
  })
  const token = browser.cookie('jwt-refresh')
  const reply = await browser.post('logout/', {}, bearer('bad'))
  expect(reply).toMatchReply(...badBearer('Token is invalid'))
  expect(reply.headers).toMatchObject({ 'www-authenticate': 'Bearer realm="api"' })
  expect(reply.cookies).toMatchObject([...CLEARED, { name: 'sessionid', value: '', maxAge: 0 }])
  expect((await browser.get('user/')).status).toBe(401)
  expect((await refresh(token)).status).toBe(200)
})

test('a bad token in the body keeps nobody logged in by other means', async () => {
  const { newBrowser, request, getUser } = await startJwt({
    REST_AUTH: { ...COOKIES, SESSION_LOGIN: true, JWT_AUTH_HTTPONLY: false },
  })
  const browser = newBrowser()
  const { access } = (await browser.post('login/', CREDENTIALS)).body as Pair
  const sessionid = browser.cookie('sessionid')
  const reply = await browser.post('logout/', { refresh: 'bad' }, browser.csrf())
  expect(reply).toMatchReply(401, { detail: 'Token is invalid' })
  expect(reply.cookies).toMatchObject([
    ...CLEARED.map(({ name }) => ({ name, maxAge: 0 })),
    { name: 'sessionid', maxAge: 0 },
  ])
  expect((await request.get('user/', { cookies: { sessionid } })).status).toBe(401)
  expect(await getUser(access)).toMatchReply(...badBearer('Token is invalid'))
})

test('with the session of the same login a refresh token in the body is still a good one', async () => {
  const { newBrowser } = await startJwt({ REST_AUTH: { SESSION_LOGIN: true } })
  const browser = newBrowser()
  const { refresh } = (await browser.post('login/', CREDENTIALS)).body as Pair
  expect(await browser.post('logout/', { refresh }, browser.csrf())).toMatchReply(...DONE)
})

test('a refresh cookie of somebody else is not ended by a header', async () => {
  const { newBrowser, createUser, logIn, refresh } = await startJwt({
    REST_AUTH: { ...COOKIES, JWT_AUTH_HTTPONLY: false },
  })
  await createUser({ username: 'bob' })
  const bob = await logIn('bob')
  const browser = newBrowser()
  const ada = (await browser.post('login/', CREDENTIALS)).body as Pair
  expect(await browser.post('logout/', {}, bearer(bob.access))).toMatchReply(...DONE)
  expect((await refresh(ada.refresh)).status).toBe(200)
  expect(await refresh(bob.refresh)).toMatchReply(...BLACKLISTED)
})

test('a refresh cookie of the same user ends with a logout by a header', async () => {
  const { browser, logIn, refresh } = await startJwtBrowser({
    REST_AUTH: { JWT_AUTH_HTTPONLY: false },
  })
  const [kept, other] = [browser.cookie('jwt-refresh'), await logIn()]
  expect(await browser.post('logout/', {}, bearer(other.access))).toMatchReply(...DONE)
  expect(await refresh(kept)).toMatchReply(...BLACKLISTED)
})

test('a token in the body goes before the cookie of somebody else, whose login stays', async () => {
  const { browser, request, createUser, newBrowser, refresh } = await startJwtBrowser()
  await createUser({ username: 'bob' })
  const visitor = newBrowser()
  await visitor.post('login/', { ...CREDENTIALS, username: 'bob' })
  const [ada, bob] = [browser.cookie('jwt-refresh'), visitor.cookie('jwt-refresh')]
  const cookies = { 'jwt-refresh': ada }
  expect(await request.post('logout/', { refresh: bob }, { cookies })).toMatchReply(...DONE)
  expect(await refresh(bob)).toMatchReply(...BLACKLISTED)
  expect((await refresh(ada)).status).toBe(200)
})

test('a token in the body does not keep the one in the cookie alive', async () => {
  for (const given of ['bad', 'good'] as const) {
    const { browser, clock, newBrowser, refresh } = await startJwtBrowser()
    const visitor = newBrowser()
    await visitor.post('login/', CREDENTIALS)
    const [kept, other] = [browser.cookie('jwt-refresh'), visitor.cookie('jwt-refresh')]
    // The access token has expired, so it names no login.
    clock.advance(400_000)
    const reply = await browser.post('logout/', { refresh: given === 'bad' ? given : other })
    expect(reply.status).toBe(given === 'bad' ? 401 : 200)
    expect(browser.cookie('jwt-refresh')).toBe('')
    expect(await refresh(kept)).toMatchReply(...BLACKLISTED)
    expect((await refresh(other)).status).toBe(given === 'bad' ? 200 : 401)
  }
})

test.each([
  [400, { refresh: [] }, 'application/json'],
  [400, '{', 'application/json'],
  [415, 'refresh', 'text/plain'],
] as const)(
  '%d: a body that is refused clears the cookies, but not for another page',
  async (status, body, type) => {
    const { browser } = await startJwtBrowser()
    const headers = { origin: 'https://evil.example' }
    const foreign = await browser.post('logout/', body, { type, headers })
    expect([foreign.status, foreign.cookies]).toEqual([403, []])
    const reply = await browser.post('logout/', body, { type })
    expect(reply.status).toBe(status)
    expect(reply.cookies).toMatchObject(CLEARED)
  },
)

test('logout without a login succeeds, too', async () => {
  const { request } = await startJwt()
  expect(await request.post('logout/')).toMatchReply(...DONE)
})

test('without blacklist and cookies the client is told to forget its tokens', async () => {
  const { request, logIn, refresh, getUser } = await startJwt({
    SIMPLE_JWT: { TOKEN_BLACKLIST_ENABLED: false },
  })
  const pair = await logIn()
  for (const body of [{}, { refresh: pair.refresh }, { refresh: 'bad' }]) {
    const reply = await request.post('logout/', body, bearer(pair.access))
    expect(reply).toMatchReply(200, {
      detail:
        'Neither cookies or blacklist are enabled, so the token has not been deleted server side. Please make sure the token is deleted client side.',
    })
  }
  expect((await getUser(pair.access)).status).toBe(200)
  expect((await refresh(pair.refresh)).status).toBe(200)
})

test('without the blacklist the cookies are cleared', async () => {
  const { browser } = await startJwtBrowser({
    SIMPLE_JWT: { TOKEN_BLACKLIST_ENABLED: false },
  })
  const reply = await browser.post('logout/')
  expect(reply).toMatchReply(...DONE)
  expect(reply.cookies).toMatchObject(CLEARED)
})

test('with a session beside the tokens, one logout ends both', async () => {
  const { newBrowser, getUser } = await startJwt({ REST_AUTH: { SESSION_LOGIN: true } })
  const browser = newBrowser()
  const { access } = (await browser.post('login/', CREDENTIALS)).body as Pair
  expect((await browser.get('user/')).status).toBe(200)
  expect(await browser.post('logout/', {}, browser.csrf())).toMatchReply(...DONE)
  expect(await getUser(access)).toMatchReply(...badBearer('Token is invalid'))
})

test('by GET only where the settings allow it', async () => {
  const strict = await startJwt()
  expect((await strict.request.get('logout/')).status).toBe(405)
  const { request, logIn, getUser } = await startJwt({ ACCOUNT: { LOGOUT_ON_GET: true } })
  const { access } = await logIn()
  expect(await request.get('logout/', bearer(access))).toMatchReply(...DONE)
  expect((await getUser(access)).status).toBe(401)
})
