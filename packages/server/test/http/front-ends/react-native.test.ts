import { expect, test } from 'vitest'
import { STRONG, signup } from '../../support/accounts.ts'
import { KEY } from '../../support/answers.ts'
import { AXIOS, startForProject } from '../../support/front-end.ts'
import { bearer, type Pair } from '../../support/jwt.ts'

const SECRET_KEY = 'django-insecure-of-fifty-characters-as-django-made-it-x'
const options = { headers: AXIOS }

test('an app with keys that signs up with both names, and shows the first error', async () => {
  const { request, createUser } = await startForProject(
    { SECRET_KEY, INSTALLED_APPS: ['dj_rest_auth.registration'], ACCOUNT_EMAIL_REQUIRED: true },
    {
      AUTH_PREFIX: '/dj-rest-auth/',
      ACCOUNT: {
        SIGNUP_FIELDS: [
          ...['username*', 'email*', 'password1*', 'password2*'],
          ...['first_name', 'last_name'],
        ],
      },
    },
  )
  await createUser({ username: 'grace', email: 'grace@example.com' })
  const ada = {
    ...{ username: 'ada', email: 'ada@example.com', password1: STRONG, password2: STRONG },
    ...{ first_name: 'Ada', last_name: 'Lovelace' },
  }
  const taken = await request.post('registration/', { ...ada, username: 'Grace' }, options)
  expect(taken.status).toBe(400)
  expect((taken.body as { username: string[] }).username[0]).toBe(
    'A user with that username already exists.',
  )
  expect(await request.post('registration/', ada, options)).toMatchReply(201, KEY)
  const { body } = await request.post('login/', { username: 'ada', password: STRONG }, options)
  const { key: token } = body as { key: string }
  expect((await request.get('user/', { token })).body).toMatchObject({
    first_name: 'Ada',
    last_name: 'Lovelace',
  })
})

test('an app whose refresh and profile are elsewhere, and whose registration is register/', async () => {
  const { request } = await startForProject(
    {
      SECRET_KEY,
      INSTALLED_APPS: ['dj_rest_auth.registration'],
      REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false },
    },
    {
      AUTH_PREFIX: '/api/auth/',
      ROUTES: {
        'registration/': 'register/',
        'token/refresh/': '/api/token/refresh/',
        'token/verify/': '/api/token/verify/',
        'user/': '/api/user/me/',
      },
    },
  )
  expect((await request.post('register/', signup('ada'), options)).status).toBe(201)
  const { body } = await request.post('login/', { username: 'ada', password: STRONG }, options)
  const { access, refresh } = body as Pair
  expect(await request.post('/api/token/verify/', { token: access })).toMatchReply(200, {})
  expect((await request.get('/api/user/me/', bearer(access))).status).toBe(200)
  const again = await request.post('/api/token/refresh/', { refresh }, options)
  expect(again.body).toMatchObject({ access: expect.any(String) })
})
