import { expect, test } from 'vitest'
import { signup } from '../../support/accounts.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const credentials = { username: 'ada', password: PASSWORD }
const PROVIDERS = { google: { APP: { client_id: 'x', secret: 'y' } } }
const APP = 'https://app.example.com'

test('an endpoint has further paths, below the prefix or anywhere, with all its methods', async () => {
  const { request, createUser } = await startAuth({
    ROUTES: { 'login/': ['signin/', '/api/login/'], 'user/': '/me' },
    CORS_ALLOWED_ORIGINS: [APP],
  })
  await createUser({ username: 'ada' })
  for (const path of ['login/', 'signin/', 'signin', '/api/login/', '/api/login']) {
    expect((await request.post(path, credentials)).status, path).toBe(200)
    expect((await request.post(path, 'x', { type: 'text/plain' })).status, path).toBe(415)
    const wrong = await request.get(path)
    expect(wrong, path).toMatchReply(405, { detail: 'Method "GET" not allowed.' })
    expect(wrong.headers.allow).toBe('OPTIONS, POST')
  }
  const { body } = await request.post('/api/login/', credentials)
  const { key: token } = body as { key: string }
  const changed = await request.patch('/me/', { first_name: 'Ada' }, { token })
  expect(changed.body).toMatchObject({ first_name: 'Ada' })
  expect((await request.get('/me')).status).toBe(401)
  const headers = { origin: APP, 'access-control-request-method': 'PATCH' }
  const preflight = await request.call('OPTIONS', '/me/', undefined, { headers })
  expect(preflight.headers['access-control-allow-origin']).toBe(APP)
})

test('a path covers what is below it, a longer one wins, and links in mails follow', async () => {
  const started = await startAuth({
    ROUTES: {
      'registration/': ['register/', '/registration/'],
      'registration/verify-email/': 'confirm/',
    },
  })
  const { request } = started
  expect((await request.post('register/', signup('ada'))).status).toBe(201)
  expect((await request.post('/registration/', signup('grace'))).status).toBe(201)
  for (const path of [
    'confirm/',
    'registration/verify-email/',
    'register/account-confirm-email/',
  ]) {
    expect((await request.post(path, { key: 'x' })).body, path).toEqual({ detail: 'Not found.' })
  }
  expect((await request.get('confirm/')).status).toBe(405)
  expect((await request.get('register/verify-email/')).status).toBe(404)
  const { link = '' } = (await started.mail.newest('verify-email', 'ada@example.com')).values
  expect(link).toMatch(/^http:\/\/localhost:8000\/auth\/register\/account-confirm-email\/[^/]+\/$/)
  const { pathname } = new URL(link)
  expect((await request.get(pathname)).status).toBe(200)
  const headers = { accept: 'application/json' }
  expect((await request.post(pathname, {}, { headers })).body).toEqual({ detail: 'ok' })
})

test('so does the link of a reset, to the first path that is named', async () => {
  const started = await startAuth({
    PUBLIC_URL: 'https://auth.example.com',
    ROUTES: { 'password/reset/': ['/forgotten/', 'password-reset/'] },
  })
  const { request, createUser, mail } = started
  const email = 'ada@example.com'
  await createUser({ username: 'ada', email })
  expect((await request.post('password-reset/', { email })).status).toBe(200)
  const { link = '' } = (await mail.newest('reset-password', email)).values
  expect(link).toMatch(/^https:\/\/auth\.example\.com\/forgotten\/confirm\/[^/]+\/[^/]+\/$/)
  const { pathname } = new URL(link)
  const headers = { accept: 'application/json' }
  expect((await request.get(pathname, { headers })).body).toEqual({ detail: 'ok' })
  const below = pathname.replace('/forgotten/', '/auth/password-reset/')
  expect((await request.get(below, { headers })).body).toEqual({ detail: 'ok' })
})

test('providers and ids may be named as the contract writes them', async () => {
  const { request, createUserWithToken } = await startAuth({
    SOCIALACCOUNT: { PROVIDERS },
    ROUTES: {
      'google/': 'google/login/',
      '{provider}/connect/': 'link/{provider}/',
      'passkeys/{id}/': 'keys/{id}/',
    },
  })
  const token = await createUserWithToken('ada')
  expect((await request.post('google/login/', {})).status).toBe(400)
  expect((await request.post('link/google/', {})).status).toBe(401)
  expect((await request.get('keys/7/', { token })).status).toBe(404)
  expect((await request.get('keys/7/')).status).toBe(401)
})

test('logins may be called devices, with all that is below them', async () => {
  const { request, createUserWithToken } = await startAuth({ ROUTES: { 'sessions/': 'devices/' } })
  const token = await createUserWithToken('ada')
  const listed = await request.get('devices/', { token })
  expect(listed.body).toEqual((await request.get('sessions/', { token })).body)
  expect((await request.call('DELETE', 'devices/7/', undefined, { token })).status).toBe(404)
  const ended = await request.post('devices/end-others/', {}, { token })
  expect(ended.body).toMatchObject({ detail: 'Logged out everywhere else.' })
  const { key } = ended.body as { key: string }
  const end = await request.call('DELETE', 'devices/token/', undefined, { token: key })
  expect(end.status).toBe(204)
  expect((await request.get('devices/', { token: key })).status).toBe(401)
})

test('everything may be moved at once', async () => {
  const { auth } = await startAuth({ SOCIALACCOUNT: { PROVIDERS } })
  const movable = auth.endpoints().filter(({ atRoot }) => !atRoot)
  const first = new Set(movable.map(({ path }) => path.replace(/^([^/]+).*$/, '$1/')))
  const named = [...first].filter((key) => !key.startsWith(':') && !key.includes('.'))
  const ROUTES = Object.fromEntries(named.map((key) => [key, `moved-${key}`]))
  const { auth: moved } = await startAuth({ SOCIALACCOUNT: { PROVIDERS }, ROUTES })
  const served = moved.endpoints().map(({ method, path }) => `${method} ${path}`)
  const wanted = movable
    .filter(({ path }) => named.some((key) => path.startsWith(key)))
    .map(({ method, path }) => `${method} moved-${path}`)
  expect(wanted.length).toBeGreaterThan(40)
  expect(served).toEqual(expect.arrayContaining(wanted))
})

test('the OpenAPI document lists them with their operation', async () => {
  const { request } = await startAuth({ ROUTES: { 'login/': ['signin/', '/login/'] } })
  const { body } = await request.get('openapi.json')
  const { paths } = body as { paths: Record<string, Record<string, object>> }
  expect(paths['/login/']?.post).toMatchObject({ 'x-aliases': ['/auth/signin/', '/login/'] })
  expect(paths['/logout/']?.post).not.toHaveProperty('x-aliases')
})

test.each([
  [{ 'signup/': 'register/' }, 'ROUTES: there is no endpoint signup/'],
  [{ 'login/': 'logout/' }, 'ROUTES: logout/ would mean both login/ and logout/'],
  [{ 'login/': 'x/', 'logout/': '/auth/x/' }, 'would mean both logout/ and login/'],
  [{ 'login/': '/healthz' }, 'would mean both login/ and /healthz'],
  [{ 'passkeys/{id}/': 'keys/' }, 'must have the same parts in braces'],
  [{ 'login/': 'openapi.json' }, 'would mean both login/ and openapi.json'],
  [{ 'user/': 'passkeys/me/' }, 'passkeys/me/ would mean both user/ and passkeys/{id}/'],
  [
    { 'login/': '/x/y/', 'passkeys/{id}/': '/x/{id}/' },
    '/x/y/ would mean both login/ and passkeys/{id}/',
  ],
  [{ 'login/': '../x/' }, 'ROUTES'],
  [{ 'login/': 7 }, 'ROUTES'],
  [['login/'], 'ROUTES'],
])('%j stops the start', async (ROUTES, reason) => {
  await expect(startAuth({ ROUTES } as object)).rejects.toThrow(reason)
})
