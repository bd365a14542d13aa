import { expect, test } from 'vitest'
import { STRONG, signup, twice, verificationKey } from '../../support/accounts.ts'
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
import { PASSWORD } from '../../support/start-auth.ts'

const failed = (reason: string) => [403, { detail: `CSRF Failed: ${reason}` }] as const
const foreign = failed(
  'Origin checking failed - https://evil.example does not match any trusted origins.',
)
const EVIL = { headers: { origin: 'https://evil.example' } }

test('the cookies of a login have the attributes of the settings', async () => {
  const { request } = await startJwt({
    REST_AUTH: {
      ...COOKIES,
      JWT_AUTH_REFRESH_COOKIE_PATH: '/auth/token',
      JWT_AUTH_COOKIE_DOMAIN: 'example.com',
      JWT_AUTH_SECURE: true,
      JWT_AUTH_SAMESITE: 'None',
    },
  })
  const reply = await request.post('login/', CREDENTIALS)
  const common = { httpOnly: true, secure: true, sameSite: 'none', domain: 'example.com' }
  expect(reply.cookies).toMatchObject([
    { name: 'jwt-auth', ...common, path: '/', maxAge: 300, value: (reply.body as Pair).access },
    { name: 'jwt-refresh', ...common, path: '/auth/token', maxAge: 86_400 },
  ])
})

test('by default they are kept from scripts, lax, and of this host alone', async () => {
  const { request } = await startJwt({
    REST_AUTH: COOKIES,
    PUBLIC_URL: 'https://auth.example.com',
  })
  const { cookies } = await request.post('login/', CREDENTIALS)
  for (const cookie of cookies) {
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'lax', path: '/' })
    expect(cookie.domain).toBeUndefined()
  }
})

test('a browser is signed in by its cookie, and the header wins over it', async () => {
  const { browser, createUser, logIn } = await startJwtBrowser()
  expect((await browser.get('user/')).body).toMatchObject({ username: 'ada' })
  await createUser({ username: 'bob' })
  const bob = await logIn('bob')
  expect((await browser.get('user/', bearer(bob.access))).body).toMatchObject({ username: 'bob' })
  expect(await browser.get('user/', bearer('bad'))).toMatchReply(...badBearer('Token is invalid'))
})

test('a stale cookie is refused where a login is needed, and ignored elsewhere', async () => {
  const { request, logIn } = await startJwt({ REST_AUTH: COOKIES })
  await logIn()
  const stale = { cookies: { 'jwt-auth': 'stale', 'jwt-refresh': 'stale' } }
  expect(await request.get('user/', stale)).toMatchReply(...badBearer('Token is invalid'))
  expect((await request.get('csrf/', stale)).status).toBe(200)
  expect((await request.post('login/', CREDENTIALS, stale)).status).toBe(200)
  expect((await request.post('logout/', {}, stale)).status).toBe(200)
})

test('the cookie refreshes with an empty body, and the access cookie is set again', async () => {
  const { browser } = await startJwtBrowser()
  for (const body of [undefined, {}, { refresh: '' }, { refresh: null }]) {
    const reply = await browser.post('token/refresh/', body)
    expect(reply).toMatchReply(200, { access: expect.any(String) })
    expect(reply.cookies).toMatchObject([
      { name: 'jwt-auth', value: (reply.body as Pair).access, httpOnly: true, maxAge: 300 },
    ])
  }
  expect((await browser.get('user/')).status).toBe(200)
})

test('a rotated token travels in its cookie only', async () => {
  const { browser } = await startJwtBrowser({
    REST_AUTH: { JWT_AUTH_RETURN_EXPIRATION: true },
    SIMPLE_JWT: ROTATING,
  })
  const before = browser.cookie('jwt-refresh')
  const reply = await browser.post('token/refresh/')
  expect(reply).toMatchReply(200, {
    access: expect.any(String),
    access_expiration: '2030-01-01T12:05:00.000Z',
    refresh_expiration: '2030-01-02T12:00:00.000Z',
  })
  expect(reply.cookies.map(({ name }) => name)).toEqual(['jwt-auth', 'jwt-refresh'])
  expect(browser.cookie('jwt-refresh')).not.toBe(before)
  expect((await browser.post('token/refresh/')).status).toBe(200)
})

test('a new login ends the login whose refresh cookie it replaces, also of another user', async () => {
  const { browser, createUser, refresh, logIn } = await startJwtBrowser({
    REST_AUTH: { JWT_AUTH_HTTPONLY: false },
  })
  await createUser({ username: 'bob' })
  const elsewhere = await logIn()
  const first = browser.cookie('jwt-refresh')
  await browser.post('login/', { ...CREDENTIALS, password: 'wrong' })
  expect((await refresh(first)).status).toBe(200)
  await browser.post('login/', CREDENTIALS)
  expect(await refresh(first)).toMatchReply(...notValid('Token is blacklisted'))
  const second = browser.cookie('jwt-refresh')
  await browser.post('login/', { username: 'bob', password: PASSWORD })
  expect(await refresh(second)).toMatchReply(...notValid('Token is blacklisted'))
  expect((await browser.get('user/')).body).toMatchObject({ username: 'bob' })
  expect((await refresh(elsewhere.refresh)).status).toBe(200)
})

test('without the blacklist a new login ends nothing', async () => {
  const { browser, refresh } = await startJwtBrowser({
    SIMPLE_JWT: { TOKEN_BLACKLIST_ENABLED: false },
  })
  const first = browser.cookie('jwt-refresh')
  await browser.post('login/', CREDENTIALS)
  expect((await refresh(first)).status).toBe(200)
})

test('LOGOUT_ON_PASSWORD_CHANGE clears the cookies that it makes worthless', async () => {
  const { browser, refresh } = await startJwtBrowser({
    REST_AUTH: { LOGOUT_ON_PASSWORD_CHANGE: true },
  })
  const token = browser.cookie('jwt-refresh')
  const reply = await browser.post('password/change/', twice(STRONG))
  expect(reply).toMatchReply(200, { detail: 'New password has been saved.' })
  expect([browser.cookie('jwt-auth'), browser.cookie('jwt-refresh')]).toEqual(['', ''])
  expect(await refresh(token)).toMatchReply(...notValid('Token is blacklisted'))
})

test('a refused refresh sets no cookie', async () => {
  const { request } = await startJwt({ REST_AUTH: COOKIES })
  const reply = await request.post('token/refresh/', {}, { cookies: { 'jwt-refresh': 'bad' } })
  expect(reply).toMatchReply(...notValid('Token is invalid'))
  expect(reply.cookies).toEqual([])
})

test('a token in the body wins over the cookie, and leaves cookies of another user alone', async () => {
  const { browser, request, createUser } = await startJwtBrowser({ SIMPLE_JWT: ROTATING })
  await createUser({ username: 'bob' })
  const login = await request.post('login/', { username: 'bob', password: PASSWORD })
  const refresh = login.cookies.find(({ name }) => name === 'jwt-refresh')?.value ?? ''

  const reply = await browser.post('token/refresh/', { refresh })
  expect(reply).toMatchReply(200, { access: expect.any(String), refresh: expect.any(String) })
  expect(reply.cookies).toEqual([])
  expect((await browser.get('user/')).body).toMatchObject({ username: 'ada' })
  const { access } = reply.body as Pair
  expect((await request.get('user/', bearer(access))).body).toMatchObject({ username: 'bob' })
})

test('a page of another origin can neither log in, nor refresh, nor act, nor log out', async () => {
  const { browser } = await startJwtBrowser()
  for (const reply of [
    await browser.post('login/', CREDENTIALS, EVIL),
    await browser.post('token/refresh/', {}, EVIL),
    await browser.patch('user/', { first_name: 'Changed' }, EVIL),
    await browser.post('logout/', {}, EVIL),
  ]) {
    expect(reply).toMatchReply(...foreign)
    expect(reply.cookies).toEqual([])
  }
  // It may ask, since the browser does not let it read the answer.
  expect((await browser.get('user/', EVIL)).body).toMatchObject({ first_name: '' })
  expect((await browser.post('token/refresh/')).status).toBe(200)
})

test('a page of another origin cannot log out by the refresh cookie alone', async () => {
  const { browser, request } = await startJwtBrowser()
  const cookies = { 'jwt-refresh': browser.cookie('jwt-refresh') }
  expect(await request.post('logout/', {}, { ...EVIL, cookies })).toMatchReply(...foreign)
  expect((await browser.post('token/refresh/')).status).toBe(200)
})

test('a page of another origin cannot even throw the cookies away', async () => {
  const { request } = await startJwt({ REST_AUTH: COOKIES })
  const reply = await request.post('logout/', {}, EVIL)
  expect(reply).toMatchReply(...foreign)
  expect(reply.cookies).toEqual([])
})

test('without cookies the Origin does not matter', async () => {
  const { request, logIn } = await startJwt()
  const { access, refresh } = await logIn()
  expect((await request.post('login/', CREDENTIALS, EVIL)).status).toBe(200)
  expect((await request.post('token/refresh/', { refresh }, EVIL)).status).toBe(200)
  const headers = { ...EVIL.headers, ...bearer(access).headers }
  expect((await request.patch('user/', { first_name: 'A' }, { headers })).status).toBe(200)
})

test('with JWT_AUTH_COOKIE_USE_CSRF a cookie needs a CSRF token', async () => {
  const { browser, request } = await startJwtBrowser({
    REST_AUTH: { JWT_AUTH_COOKIE_USE_CSRF: true },
  })
  const token = browser.cookie('csrftoken')
  const change = (options = {}) => browser.patch('user/', { first_name: 'Changed' }, options)
  expect(await change()).toMatchReply(...failed('CSRF token missing.'))
  expect(await change({ headers: { 'x-csrftoken': 'wrong' } })).toMatchReply(
    ...failed('CSRF token incorrect.'),
  )
  const bare = { cookies: { 'jwt-auth': browser.cookie('jwt-auth') } }
  expect(await request.patch('user/', {}, bare)).toMatchReply(...failed('CSRF cookie not set.'))
  expect(await browser.post('logout/')).toMatchReply(...failed('CSRF token missing.'))
  expect((await browser.get('user/')).body).toMatchObject({ first_name: '' })

  expect((await change({ headers: { 'x-csrftoken': token } })).status).toBe(200)
  expect((await browser.post('login/', CREDENTIALS)).status).toBe(200)
  expect(browser.cookie('csrftoken')).not.toBe(token)
})

test('a CSRF token is valid for its own login only, also after a refresh', async () => {
  const { browser, newBrowser } = await startJwtBrowser({
    REST_AUTH: { JWT_AUTH_COOKIE_USE_CSRF: true },
    SIMPLE_JWT: ROTATING,
  })
  const other = newBrowser()
  await other.post('login/', CREDENTIALS)
  const theirs = other.cookie('csrftoken')
  const planted = { cookies: { csrftoken: theirs }, headers: { 'x-csrftoken': theirs } }
  expect(await browser.patch('user/', {}, planted)).toMatchReply(...failed('CSRF token incorrect.'))

  const before = browser.cookie('csrftoken')
  await browser.post('token/refresh/')
  expect(browser.cookie('csrftoken')).toBe(before)
  expect((await browser.patch('user/', {}, browser.csrf())).status).toBe(200)
})

test('a visitor from before the login gets a token that the login replaces', async () => {
  const { newBrowser } = await startJwt({
    REST_AUTH: { ...COOKIES, JWT_AUTH_COOKIE_USE_CSRF: true },
  })
  const browser = newBrowser()
  await browser.get('csrf/')
  const early = browser.cookie('csrftoken')
  await browser.post('login/', CREDENTIALS)
  const old = { cookies: { csrftoken: early }, headers: { 'x-csrftoken': early } }
  expect(await browser.patch('user/', {}, old)).toMatchReply(...failed('CSRF token incorrect.'))
})

test('where it is enforced, the pages behind the links of mails work without', async () => {
  const started = await startJwt({
    REST_AUTH: { ...COOKIES, JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: true },
  })
  const { newBrowser, request } = started
  const visitor = newBrowser()
  await visitor.get('csrf/')
  expect((await visitor.post('registration/', signup('bob'), visitor.csrf())).status).toBe(201)
  const key = await verificationKey(started, 'bob@example.com')
  const headers = { accept: 'text/html' }
  const confirmed = await request.post(`registration/account-confirm-email/${key}/`, '', {
    headers,
  })
  expect(confirmed.status).toBe(200)

  await visitor.post('password/reset/', { email: 'ada@example.com' }, visitor.csrf())
  const { link = '' } = (await started.mail.letters()).at(-1)?.values ?? {}
  const form = new URLSearchParams(twice(STRONG)).toString()
  const type = 'application/x-www-form-urlencoded'
  expect((await request.post(new URL(link).pathname, form, { type, headers })).status).toBe(200)
  const login = { username: 'ada', password: STRONG }
  expect((await visitor.post('login/', login, visitor.csrf())).status).toBe(200)
})

test('where it is enforced, anonymous requests need the pair as well', async () => {
  const { newBrowser, request, logIn, ada } = await startJwt({
    REST_AUTH: { ...COOKIES, JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: true },
  })
  expect(ada.username).toBe('ada')
  await logIn()
  for (const path of ['login/', 'token/refresh/', 'token/verify/', 'logout/']) {
    expect(await request.post(path, CREDENTIALS)).toMatchReply(...failed('CSRF cookie not set.'))
  }
  const browser = newBrowser()
  await browser.get('csrf/')
  expect(await browser.post('login/', CREDENTIALS)).toMatchReply(...failed('CSRF token missing.'))
  const login = await browser.post('login/', CREDENTIALS, browser.csrf())
  expect(login.status).toBe(200)
  expect(await browser.patch('user/', {})).toMatchReply(...failed('CSRF token missing.'))
  expect((await browser.patch('user/', {}, browser.csrf())).status).toBe(200)
  expect(await browser.post('token/refresh/')).toMatchReply(...failed('CSRF token missing.'))
  const refreshed = await browser.post('token/refresh/', {}, browser.csrf())
  expect(refreshed.status).toBe(200)
  const { access } = refreshed.body as Pair
  expect((await request.patch('user/', {}, bearer(access))).status).toBe(200)
})
