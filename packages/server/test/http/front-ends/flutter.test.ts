import { expect, test } from 'vitest'
import { STRONG, signup } from '../../support/accounts.ts'
import { KEY } from '../../support/answers.ts'
import { FORM, formOf, startForProject } from '../../support/front-end.ts'
import { CLIENT_ID, startHostileProvider } from '../../support/hostile-provider.ts'
import type { Pair } from '../../support/jwt.ts'
import { MULTIPART, multipart } from '../../support/multipart.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const SECRET_KEY = 'django-insecure-of-fifty-characters-as-django-made-it-x'
const DART = { 'user-agent': 'Dart/3.4 (dart:io)', 'accept-encoding': 'gzip' }

test('an app that sends a map, and so a form, and takes any 2xx', async () => {
  const { request, createUser } = await startForProject(
    { SECRET_KEY },
    { AUTH_PREFIX: '/rest-auth/' },
  )
  await createUser({ username: 'ada', email: 'ada@example.com' })
  // It has one field for both, and calls it username.
  for (const username of ['ada', 'ada@example.com']) {
    const reply = await request.post('login/', formOf({ username, password: PASSWORD }), {
      type: `${FORM}; charset=utf-8`,
      headers: DART,
    })
    expect(reply).toMatchReply(200, KEY)
  }
})

test('an app with keys whose social login has a path of its own', async () => {
  const idp = await startHostileProvider()
  const { request, createUser } = await startForProject(
    { SECRET_KEY },
    {
      ...idp.settings(),
      AUTH_PREFIX: '/api/dj-rest-auth/',
      ROUTES: { 'idp/': '/api/users/social/google/' },
    },
  )
  idp.knowAccessToken('of-google', { sub: 'ada-at-google', client_id: CLIENT_ID })
  const social = await request.post(
    '/api/users/social/google/',
    { access_token: 'of-google' },
    { headers: DART },
  )
  expect(social).toMatchReply(200, KEY)

  await createUser({ username: 'ada', email: 'ada@example.com' })
  // It sends all that it knows; what login does not ask for is ignored.
  const login = await request.post(
    'login/',
    { email: 'ada@example.com', password: PASSWORD, google_id: '1', login_method: 'email' },
    { headers: DART },
  )
  expect(login).toMatchReply(200, KEY)
})

test('an app that registers here and has its tokens from another path', async () => {
  const { request } = await startForProject(
    { SECRET_KEY, INSTALLED_APPS: ['dj_rest_auth.registration'], REST_AUTH: { USE_JWT: true } },
    {
      AUTH_PREFIX: '/api/dj-rest-auth/',
      ROUTES: { 'login/': '/api/token/', 'token/refresh/': '/api/token/refresh/' },
    },
  )
  const registered = await request.post('registration/', signup('ada'), { headers: DART })
  expect(registered.status).toBe(201)
  const credentials = { username: 'ada', password: STRONG }
  const { body } = await request.post('/api/token/', credentials, { headers: DART })
  expect((body as Pair).access).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
})

test('an app that registers with a multipart form and fields of its own', async () => {
  const { request, findUser } = await startForProject(
    { SECRET_KEY, INSTALLED_APPS: ['dj_rest_auth.registration'] },
    {
      ROUTES: { 'registration/': '/register/', 'login/': '/api-token-auth/' },
      REST_AUTH: { ANSWER_NAMES: { key: 'token' } },
      USER_FIELDS: {
        mob: { type: 'string', max_length: 20, signup: true },
        address: { type: 'string', signup: true },
        interests: { type: 'list', signup: true },
      },
    },
  )
  const form = multipart({ ...signup('ada'), mob: '555', address: 'London', interests: 'engines' })
  const registered = await request.post('/register/', form, { type: MULTIPART, headers: DART })
  expect(registered).toMatchReply(201, { token: KEY.key })
  expect(JSON.parse((await findUser('ada')).extra)).toEqual({
    mob: '555',
    address: 'London',
    interests: ['engines'],
  })
  const login = await request.post(
    '/api-token-auth/',
    { username: 'ada', password: STRONG },
    { headers: DART },
  )
  expect(login).toMatchReply(200, { token: KEY.key })
})
