import { expect, test } from 'vitest'
import { countRows, dump } from '../../support/dump.ts'
import { COOKIES, decode, type Pair, startJwt } from '../../support/jwt.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const CREDENTIALS = { username: 'ada', password: PASSWORD }
const JWT = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)

test('a login answers with both tokens and the user, and sets no cookie', async () => {
  const { request, ada, db } = await startJwt()
  const reply = await request.post('login/', CREDENTIALS)
  expect(reply).toMatchReply(200, {
    access: JWT,
    refresh: JWT,
    user: { pk: ada.id, username: 'ada', email: 'ada@example.com', first_name: '', last_name: '' },
  })
  expect(reply.cookies).toEqual([])
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(await countRows(db, 'tokens')).toBe(0)
  expect(await countRows(db, 'logins')).toBe(1)
})

test('the tokens have the claims of simplejwt, and the login that both belong to', async () => {
  const { logIn, ada, clock } = await startJwt()
  const pair = await logIn()
  const [access, refresh] = [decode(pair.access), decode(pair.refresh)]
  const now = Math.floor(clock.now() / 1000)
  const common = {
    iat: now,
    jti: expect.stringMatching(/^[0-9a-f]{32}$/),
    user_id: String(ada.id),
    sid: expect.stringMatching(/^\d+$/),
  }
  expect(access.header).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(refresh.header).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(access.claims).toEqual({ ...common, token_type: 'access', exp: now + 300 })
  expect(refresh.claims).toEqual({ ...common, token_type: 'refresh', exp: now + 86_400 })
  expect(access.claims.sid).toBe(refresh.claims.sid)
  expect(access.claims.jti).not.toBe(refresh.claims.jti)
})

test('every login begins a new family', async () => {
  const { logIn } = await startJwt()
  const sids = [decode((await logIn()).access), decode((await logIn()).access)]
  expect(sids[0]?.claims.sid).not.toBe(sids[1]?.claims.sid)
})

test('the answer has the expirations if the settings say so', async () => {
  const { request } = await startJwt({ REST_AUTH: { JWT_AUTH_RETURN_EXPIRATION: true } })
  const reply = await request.post('login/', CREDENTIALS)
  expect(reply.body).toMatchObject({
    access_expiration: '2030-01-01T12:05:00.000Z',
    refresh_expiration: '2030-01-02T12:00:00.000Z',
  })
  // In the order of dj-rest-auth.
  expect(Object.keys(reply.body as object)).toEqual([
    'access',
    'refresh',
    'user',
    'access_expiration',
    'refresh_expiration',
  ])
})

test.each([
  ['neither cookie', {}, true],
  ['only the access cookie', { JWT_AUTH_COOKIE: 'jwt-auth' }, true],
  ['both cookies, readable by scripts', { ...COOKIES, JWT_AUTH_HTTPONLY: false }, true],
  ['both cookies', COOKIES, false],
  ['only the refresh cookie', { JWT_AUTH_REFRESH_COOKIE: 'jwt-refresh' }, false],
])('with %s the refresh token stands in the body: %#', async (_, cookies, isInBody) => {
  const { request } = await startJwt({ REST_AUTH: cookies })
  const reply = await request.post('login/', CREDENTIALS)
  expect((reply.body as Pair).refresh).toEqual(isInBody ? JWT : '')
})

test('the user in the answer has the fields that the settings name', async () => {
  const serializer = { fields: ['pk', 'username'], editable: ['username'] }
  const { request, ada } = await startJwt({ REST_AUTH: { USER_DETAILS_SERIALIZER: serializer } })
  const reply = await request.post('login/', CREDENTIALS)
  expect(reply.body).toMatchObject({ user: { pk: ada.id, username: 'ada' } })
  expect(Object.keys((reply.body as { user: object }).user)).toEqual(['pk', 'username'])
})

test('with a session beside it there is one login, with one CSRF token', async () => {
  const { newBrowser, db } = await startJwt({ REST_AUTH: { SESSION_LOGIN: true, ...COOKIES } })
  const browser = newBrowser()
  const reply = await browser.post('login/', CREDENTIALS)
  expect(reply.cookies.map(({ name }) => name).toSorted()).toEqual([
    'csrftoken',
    'jwt-auth',
    'jwt-refresh',
    'sessionid',
  ])
  expect(await countRows(db, 'logins')).toBe(1)
})

test('issuer and audience are set where the settings name them', async () => {
  const { logIn, getUser } = await startJwt({ SIMPLE_JWT: { ISSUER: 'us', AUDIENCE: 'them' } })
  const { access } = await logIn()
  expect(decode(access).claims).toMatchObject({ iss: 'us', aud: 'them' })
  expect((await getUser(access)).status).toBe(200)
})

test('the database holds neither of the tokens', async () => {
  const { logIn, refresh, db } = await startJwt({
    SIMPLE_JWT: {
      ROTATE_REFRESH_TOKENS: true,
      BLACKLIST_AFTER_ROTATION: true,
      REFRESH_REUSE_GRACE: 10,
    },
  })
  const pair = await logIn()
  const next = (await refresh(pair.refresh)).body as Pair
  const kept = await dump(db)
  for (const token of [pair.access, pair.refresh, next.access, next.refresh]) {
    expect(kept.some((value) => value.includes(token))).toBe(false)
  }
})

test('without USE_JWT there are no such endpoints, and Bearer is no credential', async () => {
  const { request } = await startJwt({ REST_AUTH: { USE_JWT: false } })
  for (const path of ['token/verify/', 'token/refresh/']) {
    expect(await request.post(path, {})).toMatchReply(404, { detail: 'Not found.' })
  }
  const reply = await request.get('user/', { headers: { authorization: 'Bearer x' } })
  expect(reply).toMatchReply(401, { detail: 'Authentication credentials were not provided.' })
  expect(reply.headers['www-authenticate']).toBe('Token')
})
