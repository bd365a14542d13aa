import { expect, test } from 'vitest'
import { KEY, LOGGED_OUT, UNABLE } from '../../support/answers.ts'
import { FORM, formOf, startForProject } from '../../support/front-end.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const SECRET_KEY = 'django-insecure-of-fifty-characters-as-django-made-it-x'
/** What Alamofire sends with every request. */
const ALAMOFIRE = {
  accept: '*/*',
  'accept-language': 'en;q=1.0',
  'user-agent': 'App/1.0 (com.example.app; build:1; iOS 16.0.0) Alamofire/5.6.4',
}
const SENT_AS_FORM = { type: `${FORM}; charset=utf-8`, headers: ALAMOFIRE }

test('an app that sends forms and keeps the key', async () => {
  const { request, createUser } = await startForProject(
    { SECRET_KEY },
    { AUTH_PREFIX: '/rest-auth/' },
  )
  await createUser({ username: 'ada' })
  const logIn = (password: string) =>
    request.post('login/', formOf({ username: 'ada', password }), SENT_AS_FORM)
  expect(await logIn('wrong')).toMatchReply(400, UNABLE)
  const reply = await logIn(PASSWORD)
  expect(reply).toMatchReply(200, KEY)
  expect(reply.headers['content-type']).toMatch(/^application\/json/)
  const { key: token } = reply.body as { key: string }
  expect((await request.get('user/', { token, headers: ALAMOFIRE })).status).toBe(200)
})

test('an app that logs in by address and announces its token as JWT', async () => {
  const { request, createUser } = await startForProject(
    {
      SECRET_KEY,
      REST_USE_JWT: true,
      SIMPLE_JWT: { AUTH_HEADER_TYPES: ['Bearer', 'JWT'] },
      ACCOUNT_AUTHENTICATION_METHOD: 'email',
      ACCOUNT_EMAIL_REQUIRED: true,
    },
    { AUTH_PREFIX: '/rest-auth/' },
  )
  await createUser({ username: 'ada', email: 'ada@example.com' })
  const credentials = { email: 'ada@example.com', password: PASSWORD }
  const { body } = await request.post('login/', credentials, { headers: ALAMOFIRE })
  const { access_token } = body as { access_token: string }
  for (const word of ['JWT', 'Bearer']) {
    const headers = { ...ALAMOFIRE, authorization: `${word} ${access_token}` }
    expect((await request.get('user/', { headers })).status, word).toBe(200)
  }
})

test('an app whose system keeps the cookies, and which knows of none', async () => {
  const { newBrowser, createUser } = await startForProject(
    {
      SECRET_KEY,
      REST_FRAMEWORK: {
        DEFAULT_AUTHENTICATION_CLASSES: ['dj_rest_auth.jwt_auth.JWTCookieAuthentication'],
      },
      REST_AUTH: {
        USE_JWT: true,
        JWT_AUTH_COOKIE: 'my-app-auth',
        JWT_AUTH_REFRESH_COOKIE: 'my-refresh-token',
      },
    },
    { AUTH_PREFIX: '/dj-rest-auth/' },
  )
  await createUser({ username: 'ada' })
  const phone = newBrowser()
  const login = formOf({ username: 'ada', password: PASSWORD })
  expect((await phone.post('login/', login, SENT_AS_FORM)).status).toBe(200)
  expect((await phone.get('user/', { headers: ALAMOFIRE })).body).toMatchObject({ username: 'ada' })
  const left = await phone.post('logout/', undefined, { headers: ALAMOFIRE })
  expect(left).toMatchReply(200, LOGGED_OUT)
  expect((await phone.get('user/', { headers: ALAMOFIRE })).status).toBe(401)
})
