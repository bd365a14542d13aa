import { describe, expect, test } from 'vitest'
import { INVALID_TOKEN, LOGGED_OUT, NOT_PROVIDED } from '../support/answers.ts'
import { startAuth } from '../support/start-auth.ts'

const NOT_LOGGED_IN = {
  detail: 'You should be logged in to logout. Check whether the token is passed.',
}
const WITHOUT_SESSIONS = { REST_AUTH: { SESSION_LOGIN: false } }

test('the keys of others stay', async () => {
  const { request, createUserWithToken } = await startAuth()
  const [ada, bob] = [await createUserWithToken('ada'), await createUserWithToken('bob')]
  await request.post('logout/', {}, { token: ada })
  expect((await request.get('user/', { token: bob })).status).toBe(200)
})

test.each([
  ['nothing', undefined, undefined],
  ['an empty object', '{}', 'application/json'],
  ['a form', 'a=b', 'application/x-www-form-urlencoded'],
])('a logout takes %s for a body', async (_, body, type) => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const reply = await request.post('logout/', body, { token, ...(type && { type }) })
  expect(reply).toMatchReply(200, LOGGED_OUT)
  expect(await request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
})

test('the cookie is cleared with the attributes it was set with', async () => {
  const { createUser, logInBrowser } = await startAuth({
    PUBLIC_URL: 'https://id.example.com',
    SESSION_COOKIE_DOMAIN: 'example.com',
    SESSION_COOKIE_SAMESITE: 'None',
  })
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  const { cookies } = await browser.post('logout/', {}, browser.csrf())
  expect(cookies.find(({ name }) => name === 'sessionid')).toEqual({
    name: 'sessionid',
    value: '',
    path: '/',
    domain: expect.stringMatching(/^\.?example\.com$/),
    httpOnly: true,
    secure: true,
    sameSite: 'none',
    maxAge: 0,
    expires: new Date(0),
  })
})

test('a logout with the key leaves sessions on other devices alone', async () => {
  const { request, createUserWithToken, logInBrowser } = await startAuth()
  const token = await createUserWithToken('ada')
  const browser = await logInBrowser('ada')
  await request.post('logout/', {}, { token })
  expect((await browser.get('user/')).status).toBe(200)
})

test('the key of one user and the session of another are never mixed', async () => {
  const { request, createUserWithToken, logInBrowser } = await startAuth()
  const [ada, bob] = [await createUserWithToken('ada'), await createUserWithToken('bob')]
  const browser = await logInBrowser('bob')
  const cookies = { sessionid: browser.cookie('sessionid') }
  const reply = await request.post('logout/', {}, { token: ada, cookies })
  expect(reply).toMatchReply(200, LOGGED_OUT)
  expect(await request.get('user/', { token: ada })).toMatchReply(401, INVALID_TOKEN)
  expect((await request.get('user/', { token: bob })).status).toBe(200)
  expect((await request.get('user/', { cookies })).body).toMatchObject({ username: 'bob' })
})

test.each([
  ['Token wrong', INVALID_TOKEN],
  ['Token', { detail: 'Invalid token header. No credentials provided.' }],
  ['Token a b', { detail: 'Invalid token header. Token string should not contain spaces.' }],
])('the bad header %j ends nothing, and clears the cookie', async (authorization, wanted) => {
  const { request, createUserWithToken, logInBrowser } = await startAuth()
  const token = await createUserWithToken('ada')
  const browser = await logInBrowser('ada')
  const cookies = { sessionid: browser.cookie('sessionid') }
  const headers = { authorization, ...browser.csrf().headers }
  const reply = await browser.post('logout/', {}, { headers })
  expect(reply).toMatchReply(401, wanted)
  expect(reply.headers['www-authenticate']).toBe('Token')
  expect(reply.cookies).toMatchObject([{ name: 'sessionid', value: '', maxAge: 0 }])
  expect((await request.get('user/', { cookies })).status).toBe(200)
  expect((await request.get('user/', { token })).status).toBe(200)
})

test('a foreign scheme is no credential: neither the session nor the key behind it ends', async () => {
  const { createUserWithToken, logInBrowser } = await startAuth()
  const token = await createUserWithToken('ada')
  const browser = await logInBrowser('ada')
  const cookies = { sessionid: browser.cookie('sessionid') }
  const headers = { authorization: 'Bearer x' }
  expect(await browser.post('logout/', {}, { headers })).toMatchReply(200, LOGGED_OUT)
  expect((await browser.get('user/', { cookies })).status).toBe(200)
  expect((await browser.get('user/', { token })).status).toBe(200)
})

describe.each([
  ['keys', {}],
  ['JSON Web Tokens', { USE_JWT: true, SESSION_LOGIN: true }],
  [
    'JSON Web Tokens in cookies',
    {
      USE_JWT: true,
      SESSION_LOGIN: true,
      JWT_AUTH_COOKIE: 'access',
      JWT_AUTH_REFRESH_COOKIE: 'refresh',
    },
  ],
])('a session beside the header of a proxy, in a service with %s', (_, REST_AUTH) => {
  const basic = { authorization: 'Basic dXNlcjpwYXNz' }

  async function start() {
    const { request, createUser, logInBrowser } = await startAuth({ REST_AUTH })
    await createUser({ username: 'ada' })
    const browser = await logInBrowser('ada')
    const cookies = { sessionid: browser.cookie('sessionid') }
    const isAlive = async () => (await request.get('user/', { cookies })).status === 200
    return { browser, isAlive }
  }

  test('ends with its CSRF token', async () => {
    const { browser, isAlive } = await start()
    const headers = { ...basic, ...browser.csrf().headers }
    expect(await browser.post('logout/', {}, { headers })).toMatchReply(200, LOGGED_OUT)
    expect(browser.cookie('sessionid')).toBe('')
    expect(await isAlive()).toBe(false)
  })

  test('stays without it, unless the refresh cookie of the same login ends it', async () => {
    const { browser, isAlive } = await start()
    expect(await browser.post('logout/', {}, { headers: basic })).toMatchReply(200, LOGGED_OUT)
    expect(await isAlive()).toBe(!('JWT_AUTH_REFRESH_COOKIE' in REST_AUTH))
  })

  test('is not even forgotten by the browser if a foreign page asks', async () => {
    const { browser, isAlive } = await start()
    const headers = { ...basic, origin: 'https://evil.example' }
    const reply = await browser.post('logout/', {}, { headers })
    expect(reply.status).toBe(403)
    expect(reply.cookies).toEqual([])
    expect(await isAlive()).toBe(true)
  })
})

test('a session that signs nobody in ends no token', async () => {
  const { createUserWithToken, logInBrowser } = await startAuth({
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['token'] },
  })
  const token = await createUserWithToken('ada')
  for (const more of [{}, { authorization: 'Basic dXNlcjpwYXNz' }]) {
    const browser = await logInBrowser('ada')
    const headers = { ...browser.csrf().headers, ...more }
    expect(await browser.post('logout/', {}, { headers })).toMatchReply(200, LOGGED_OUT)
    expect((await browser.get('user/', { token })).status).toBe(200)
  }
})

test('a visitor without a login may log out', async () => {
  const { request } = await startAuth()
  expect(await request.post('logout/')).toMatchReply(200, LOGGED_OUT)
})

test.each([
  ['with a key', { REST_AUTH: { TOKEN_MODEL: 'token' } }],
  ['without', { REST_AUTH: { TOKEN_MODEL: null } }],
])('a stale session never blocks a logout, in a service %s', async (_, settings) => {
  const { createUser, logInBrowser, clock } = await startAuth(settings)
  await createUser({ username: 'ada' })
  const browser = await logInBrowser('ada')
  clock.advance(15 * 86_400_000)
  const reply = await browser.post('logout/')
  expect(reply).toMatchReply(200, LOGGED_OUT)
  expect(browser.cookie('sessionid')).toBe('')
})

test('where there are keys only, a logout needs one', async () => {
  const { request, createUserWithToken } = await startAuth(WITHOUT_SESSIONS)
  const token = await createUserWithToken('ada')
  expect(await request.post('logout/')).toMatchReply(400, NOT_LOGGED_IN)
  const cookies = { sessionid: 'stale' }
  expect(await request.post('logout/', {}, { cookies })).toMatchReply(400, NOT_LOGGED_IN)
  expect(await request.post('logout/', {}, { token })).toMatchReply(200, LOGGED_OUT)
  expect(await request.post('logout/', {}, { token })).toMatchReply(401, INVALID_TOKEN)
})

test('where there are no JWTs, a refresh token in the body is ignored', async () => {
  const { request, createUserWithToken } = await startAuth()
  for (const refresh of ['bad', [], false]) {
    const token = await createUserWithToken(`user-${refresh}`)
    const reply = await request.post('logout/', { refresh }, { token })
    expect(reply).toMatchReply(200, LOGGED_OUT)
    expect(await request.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
  }
})

test('a link does not log out', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const reply = await request.get('logout/', { token })
  expect(reply).toMatchReply(405, { detail: 'Method "GET" not allowed.' })
  expect((await request.get('user/', { token })).status).toBe(200)
})

test('with ACCOUNT_LOGOUT_ON_GET a link does log out', async () => {
  const { createUserWithToken, logInBrowser } = await startAuth({
    ACCOUNT: { LOGOUT_ON_GET: true },
  })
  const token = await createUserWithToken('ada')
  const browser = await logInBrowser('ada')
  expect(await browser.get('logout/')).toMatchReply(200, LOGGED_OUT)
  expect(await browser.get('user/')).toMatchReply(401, NOT_PROVIDED)
  expect(await browser.get('user/', { token })).toMatchReply(401, INVALID_TOKEN)
  expect(await browser.post('logout')).toMatchReply(200, LOGGED_OUT)
})
