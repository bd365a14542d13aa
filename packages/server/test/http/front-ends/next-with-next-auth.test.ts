import { expect, test } from 'vitest'
import { startForProject } from '../../support/front-end.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { bearer, decode, type Pair } from '../../support/jwt.ts'
import { PASSWORD } from '../../support/start-auth.ts'

/*
 * Next.js with NextAuth, after the best-known tutorial for it: the server of the front end calls, and
 * the tokens live in its own session. The project signs with HS512 and a key of 50 characters.
 */

const PROJECT = {
  SECRET_KEY: 'django-insecure-k@9v3w!q8z#r5t^y7u*i0o(p)a=s+d-f1g2h3',
  INSTALLED_APPS: ['dj_rest_auth', 'dj_rest_auth.registration'],
  REST_FRAMEWORK: {
    DEFAULT_AUTHENTICATION_CLASSES: ['rest_framework_simplejwt.authentication.JWTAuthentication'],
  },
  REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false },
  SIMPLE_JWT: {
    ACCESS_TOKEN_LIFETIME: '1:00:00',
    REFRESH_TOKEN_LIFETIME: '7 days, 0:00:00',
    ROTATE_REFRESH_TOKENS: true,
    BLACKLIST_AFTER_ROTATION: false,
    UPDATE_LAST_LOGIN: true,
    ALGORITHM: 'HS512',
  },
  ACCOUNT_EMAIL_REQUIRED: false,
  ACCOUNT_EMAIL_VERIFICATION: 'none',
}

/** All that its sign-in form holds goes on to the service. */
const CREDENTIALS = {
  username: 'ada',
  password: PASSWORD,
  csrfToken: 'of-the-front-end',
  callbackUrl: 'http://localhost:3000/',
  json: 'true',
}

async function start() {
  const idp = await startHostileProvider()
  const started = await startForProject(PROJECT, {
    ...idp.settings(),
    AUTH_PREFIX: '/api/auth/',
    ROUTES: { 'idp/': 'google/' },
  })
  return { ...started, idp }
}

test('it logs in with a password, and refreshes shortly before the hour is over', async () => {
  const { request, createUser, clock } = await start()
  await createUser({ username: 'ada' })
  const { body } = await request.post('login/', CREDENTIALS)
  let tokens = body as Pair
  expect(body).toMatchObject({ user: { username: 'ada' } })
  expect(decode(tokens.access).header).toMatchObject({ alg: 'HS512' })
  for (let times = 0; times < 3; times++) {
    clock.advance(46 * 60_000)
    const again = await request.post('token/refresh/', { refresh: tokens.refresh })
    tokens = again.body as Pair
    expect((await request.get('user/', bearer(tokens.access))).status).toBe(200)
  }
})

test('it sends the ID token of Google as an access token', async () => {
  const { request, idp, clock } = await start()
  const email = { email: 'ada@example.com', email_verified: true }
  const { status, body } = await request.post('google/', {
    access_token: await idp.idToken(clock, email),
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ user: { email: 'ada@example.com' }, refresh: expect.any(String) })
})

test('a wrong password is no session', async () => {
  const { request, createUser } = await start()
  await createUser({ username: 'ada' })
  const { status, body } = await request.post('login/', { ...CREDENTIALS, password: 'wrong' })
  expect(status).toBe(400)
  expect(body).not.toHaveProperty('access')
})
