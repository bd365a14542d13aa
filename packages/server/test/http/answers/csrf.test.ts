import { afterAll, expect, test } from 'vitest'
import { KEY, LOGGED_OUT } from '../../support/answers.ts'
import type { Client } from '../../support/client.ts'
import { countRows, dump } from '../../support/dump.ts'
import { readAnswer, sendBytes } from '../../support/socket.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const failed = (reason: string) => ({ detail: `CSRF Failed: ${reason}` })
const NO_COOKIE = failed('CSRF cookie not set.')
const MISSING = failed('CSRF token missing.')
const INCORRECT = failed('CSRF token incorrect.')
const foreign = (origin: string) =>
  failed(`Origin checking failed - ${origin} does not match any trusted origins.`)

/** HTTP/1.0 needs no Host, so no page can have the same origin. */
test('without a host no origin is the own one', async () => {
  const { app, createUser } = await startAuth()
  await createUser({ username: 'ada' })
  const body = JSON.stringify(credentials)
  const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const bytes = `POST /auth/login/ HTTP/1.0\r\nOrigin: http://undefined\r\n${head}\r\n${body}`
  const answer = await sendBytes(app, bytes)
  expect(readAnswer(answer)).toEqual({ status: 403, body: foreign('http://undefined') })
  expect(answer).not.toMatch(/^set-cookie/im)
})

const credentials = { username: 'ada', password: PASSWORD }

/** Every unsafe request that a session can make. Each changes something if it succeeds. */
const unsafe = (browser: Client, headers: Record<string, string>, cookies = {}) => [
  () => browser.patch('user/', { first_name: 'Changed' }, { headers, cookies }),
  () => browser.put('user/', { first_name: 'Changed' }, { headers, cookies }),
  () => browser.post('logout/', {}, { headers, cookies }),
]

async function startLoggedIn(settings = {}, options = {}) {
  const auth = await startAuth(settings, options)
  await auth.createUser({ username: 'ada' })
  const browser = await auth.logInBrowser('ada')
  const token = browser.cookie('csrftoken')

  async function expectRefused(body: object, headers = {}, cookies = {}) {
    for (const send of unsafe(browser, headers, cookies)) {
      const reply = await send()
      expect(reply).toMatchReply(403, body)
      expect(reply.cookies).toEqual([])
    }
    expect((await browser.get('user/')).body).toMatchObject({ first_name: '' })
  }

  async function expectAccepted(headers: Record<string, string>) {
    const [patch, , logout] = unsafe(browser, { 'x-csrftoken': token, ...headers })
    expect((await patch?.())?.body).toMatchObject({ first_name: 'Changed' })
    expect(await logout?.()).toMatchReply(200, LOGGED_OUT)
  }

  return { ...auth, browser, token, expectRefused, expectAccepted }
}

test('a session changes things with the token of its cookie in the header', async () => {
  const { token, expectAccepted } = await startLoggedIn()
  await expectAccepted({ 'x-csrftoken': token })
})

test('beside tokens of Django, what is no such token is still refused', async () => {
  const { expectRefused } = await startLoggedIn({ DJANGO_SECRET_KEY: 'the key of the project' })
  const djangos = 'Ab3'.repeat(10).padEnd(32, 'x')
  for (const [csrftoken, sent] of [
    ['x', 'x'],
    [djangos, 'x'],
    ['x', djangos],
  ] as const) {
    await expectRefused(INCORRECT, { 'x-csrftoken': sent }, { csrftoken })
  }
})

test('without the cookie, without the header, or with an empty one, nothing happens', async () => {
  const { request, browser, token, expectRefused } = await startLoggedIn()
  const cookies = { sessionid: browser.cookie('sessionid') }
  for (const send of unsafe(request, { 'x-csrftoken': token }, cookies)) {
    expect(await send()).toMatchReply(403, NO_COOKIE)
  }
  await expectRefused(NO_COOKIE, {}, { csrftoken: '' })
  await expectRefused(NO_COOKIE, { 'x-csrftoken': token }, { csrftoken: '' })
  await expectRefused(MISSING)
  await expectRefused(MISSING, { 'x-csrftoken': '' })
})

test('the token of another session, an older one and garbage are refused', async () => {
  const { request, logInBrowser, token, browser, expectRefused } = await startLoggedIn()
  const before = (await request.get('csrf/')).body as { csrf_token: string }
  const other = (await logInBrowser('ada')).cookie('csrftoken')
  const forged = [
    other,
    before.csrf_token,
    'x',
    `${token}x`,
    token.slice(1),
    '.',
    '\xe9',
    'x'.repeat(64),
  ]
  for (const value of forged) {
    await expectRefused(INCORRECT, { 'x-csrftoken': value })
    // Not even with the same value in the cookie, since another subdomain can set one.
    if (value !== '\xe9')
      await expectRefused(INCORRECT, { 'x-csrftoken': value }, { csrftoken: value })
  }
  await expectRefused(INCORRECT, { 'x-csrftoken': token }, { csrftoken: other })
  await browser.post('login/', credentials)
  await expectRefused(INCORRECT, { 'x-csrftoken': token })
  await expectRefused(INCORRECT, { 'x-csrftoken': token }, { csrftoken: token })
})

test('a token in the address or in the body is none', async () => {
  const { browser, token } = await startLoggedIn()
  const body = { first_name: 'Changed', csrfmiddlewaretoken: token, csrftoken: token }
  const reply = await browser.patch(`user/?csrftoken=${token}`, body)
  expect(reply).toMatchReply(403, MISSING)
})

test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
  'a form of another page, sent as %s, changes nothing',
  async (type) => {
    const { browser } = await startLoggedIn()
    const reply = await browser.patch('user/', 'first_name=Changed', { type })
    expect(reply).toMatchReply(403, MISSING)
  },
)

test('reading needs no token, from any page', async () => {
  const { browser } = await startLoggedIn()
  const options = { headers: { origin: 'https://evil.example' } }
  expect((await browser.get('user/', options)).status).toBe(200)
})

test('a key in the header needs no CSRF token, from any page', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const options = {
    token,
    headers: { origin: 'https://evil.example' },
    cookies: { sessionid: 'x' },
  }
  const reply = await request.patch('user/', { first_name: 'Ada' }, options)
  expect(reply.body).toMatchObject({ first_name: 'Ada' })
})

const TRUSTING = {
  PUBLIC_URL: 'https://id.example.com',
  CSRF_TRUSTED_ORIGINS: ['https://admin.example.com'],
  CORS_ALLOWED_ORIGINS: ['https://app.example.com'],
}

test.each([
  [{ origin: 'https://id.example.com' }],
  [{ origin: 'http://behind.internal:8000', host: 'behind.internal:8000' }],
  [{ origin: 'https://admin.example.com' }],
  [{ origin: 'https://app.example.com' }],
  [{ origin: 'https://app.example.com', referer: 'https://evil.example/' }],
  [{ referer: 'https://id.example.com/some/page?with=query' }],
  [{ referer: 'https://app.example.com' }],
])('a page that is trusted may act: %o', async (headers) => {
  const { expectAccepted } = await startLoggedIn(TRUSTING)
  await expectAccepted(headers)
})

const FOREIGN = [
  ['https://evil.example', { origin: 'https://evil.example' }],
  ['null', { origin: 'null' }],
  ['http://id.example.com', { origin: 'http://id.example.com' }],
  ['https://id.example.com:8443', { origin: 'https://id.example.com:8443' }],
  ['https://id.example.com.evil.example', { origin: 'https://id.example.com.evil.example' }],
  ['https://sub.app.example.com', { origin: 'https://sub.app.example.com' }],
  ['https://localhost', { origin: 'https://localhost', 'x-forwarded-proto': 'https' }],
  ['http://evil.example', { origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' }],
  ['https://evil.example', { origin: 'https://evil.example', referer: 'https://id.example.com/' }],
  ['https://evil.example', { referer: 'https://evil.example/https://id.example.com/' }],
  ['https://evil.example', { referer: 'https://id.example.com@evil.example/' }],
] as const

const unmoved = await startLoggedIn(TRUSTING, { atTheEnd: afterAll })

test.each(FOREIGN)('a page of %s may not act: %o', async (origin, headers) => {
  const { expectRefused, token } = unmoved
  await expectRefused(foreign(origin), { host: 'localhost', ...headers, 'x-csrftoken': token })
  await expectRefused(foreign(origin), { host: 'localhost', ...headers }, { csrftoken: '' })
})

test('a referrer that cannot be read is a foreign one', async () => {
  const { browser, token } = await startLoggedIn()
  const headers = { referer: 'nonsense', 'x-csrftoken': token }
  const reply = await browser.patch('user/', { first_name: 'Changed' }, { headers })
  expect(reply.status).toBe(403)
})

test('a name that is longer than any host is never our own', async () => {
  const { request } = unmoved
  const logIn = (headers: Record<string, string>) =>
    request.post('login/', credentials, { headers })
  const longest = `${'a'.repeat(253)}:65535`
  for (const host of [longest, `a${longest}`]) {
    const isShort = host === longest
    const [byOrigin, byReferer] = [{ origin: `http://${host}` }, { referer: `http://${host}/a` }]
    expect((await logIn({ host, ...byOrigin })).status).toBe(isShort ? 200 : 403)
    expect((await logIn({ host, ...byReferer })).status).toBe(isShort ? 200 : 403)
  }
})

test.each(FOREIGN)('a page of %s may not log a visitor in: %o', async (origin, headers) => {
  const { request, db } = unmoved
  const before = await dump(db)
  const options = { headers: { host: 'localhost', ...headers } }
  for (const password of [PASSWORD, 'wrong']) {
    const reply = await request.post('login/', { ...credentials, password }, options)
    expect(reply).toMatchReply(403, foreign(origin))
    expect(reply.cookies).toEqual([])
  }
  expect(await dump(db)).toEqual(before)
})

test('a login asks for no token, neither of a visitor nor of a user', async () => {
  const { browser, request } = await startLoggedIn()
  expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
  expect(await browser.post('login/', credentials)).toMatchReply(200, KEY)
  const cookies = { csrftoken: 'stale' }
  expect(await browser.post('login/', credentials, { cookies })).toMatchReply(200, KEY)
})

test('where a login sets no cookie, any page may ask for a key', async () => {
  const { request, createUser } = await startAuth({ REST_AUTH: { SESSION_LOGIN: false } })
  await createUser({ username: 'ada' })
  const options = { headers: { origin: 'https://evil.example' } }
  expect(await request.post('login/', credentials, options)).toMatchReply(200, KEY)
})

test('any visitor gets a token and its cookie, and keeps it', async () => {
  const { newBrowser, db } = await startAuth()
  const browser = newBrowser()
  const first = await browser.get('csrf/')
  expect(first).toMatchReply(200, { csrf_token: browser.cookie('csrftoken') })
  expect(first.cookies).toMatchObject([{ name: 'csrftoken', path: '/', sameSite: 'lax' }])
  expect(first.cookies[0]).not.toHaveProperty('httpOnly')
  expect(await browser.get('csrf/')).toMatchReply(200, first.body)
  expect(await countRows(db, 'logins')).toBe(0)
})

test('a user who lost the cookie gets one that is valid for their session', async () => {
  const { browser } = await startLoggedIn()
  const reply = await browser.get('csrf/', { cookies: { csrftoken: 'lost' } })
  expect(reply).toMatchReply(200, { csrf_token: browser.cookie('csrftoken') })
  const patched = await browser.patch('user/', { first_name: 'Ada' }, browser.csrf())
  expect(patched.body).toMatchObject({ first_name: 'Ada' })
})

test('without JWTs, their setting asks no anonymous request for a token', async () => {
  const { request, createUser } = await startAuth({
    REST_AUTH: { JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: true },
  })
  await createUser({ username: 'ada' })
  expect(await request.post('login/', credentials)).toMatchReply(200, KEY)
})
