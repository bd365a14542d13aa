import { expect, test } from 'vitest'
import { STRONG, signup } from '../../support/accounts.ts'
import { KEY, LOGGED_OUT } from '../../support/answers.ts'
import { FRONT_END, startForProject } from '../../support/front-end.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const SECRET_KEY = 'django-insecure-of-fifty-characters-as-django-made-it-x'
const ANGULAR = { accept: 'application/json, text/plain, */*' }

test('a service with keys that registers by address, and sends an empty header at first', async () => {
  const { request } = await startForProject(
    {
      SECRET_KEY,
      INSTALLED_APPS: ['dj_rest_auth', 'dj_rest_auth.registration'],
      REST_FRAMEWORK: {
        DEFAULT_AUTHENTICATION_CLASSES: [
          'rest_framework.authentication.TokenAuthentication',
          'rest_framework.authentication.SessionAuthentication',
        ],
      },
      REST_USE_JWT: false,
      REST_SESSION_LOGIN: false,
      ACCOUNT_LOGIN_METHODS: "{'email'}",
      ACCOUNT_SIGNUP_FIELDS: ['email*', 'password1*', 'password2*'],
      ACCOUNT_USER_MODEL_USERNAME_FIELD: null,
      ACCOUNT_EMAIL_VERIFICATION: 'optional',
      CORS_ALLOWED_ORIGINS: [FRONT_END],
    },
    { AUTH_PREFIX: '/api/v1/dj-rest-auth/' },
  )
  const headers = { ...ANGULAR, origin: FRONT_END, authorization: '' }
  const account = { email: 'ada@example.com', password1: STRONG, password2: STRONG }
  expect(await request.post('registration/', account, { headers })).toMatchReply(201, KEY)
  const login = { email: account.email, password: STRONG }
  const { body } = await request.post('login/', login, { headers })
  const { key: token } = body as { key: string }
  expect((await request.get('user/', { token })).body).toMatchObject({ email: account.email })
  expect(await request.post('registration/', account, { headers })).toMatchReply(400, {
    email: ['User is already registered with this e-mail address.'],
  })
})

test('a service with social logins outside the prefix, and "Token null" before the login', async () => {
  const idp = await startHostileProvider()
  const { request, createUser, clock } = await startForProject(
    { SECRET_KEY },
    { ...idp.settings(), AUTH_PREFIX: '/dj-rest-auth/', ROUTES: { 'idp/': '/google/' } },
  )
  idp.giveForCode({ id_token: await idp.idToken(clock, { sub: 'ada-at-google' }) })
  expect(await request.post('/google/', { code: 'of-the-provider' })).toMatchReply(200, KEY)

  await createUser({ username: 'ada' })
  const headers = { ...ANGULAR, authorization: 'Token null' }
  const credentials = { username: 'ada', password: PASSWORD }
  expect(await request.post('login/', credentials, { headers })).toMatchReply(200, KEY)
  expect(await request.post('registration/', signup('bob'), { headers })).toMatchReply(201, KEY)
  expect(await request.post('logout/', {})).toMatchReply(200, LOGGED_OUT)
})
