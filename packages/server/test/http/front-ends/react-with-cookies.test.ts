import { expect, test } from 'vitest'
import { STRONG } from '../../support/accounts.ts'
import { LOGGED_OUT } from '../../support/answers.ts'
import { AXIOS, FRONT_END, startForProject } from '../../support/front-end.ts'
import { decode } from '../../support/jwt.ts'
import { MULTIPART, multipart } from '../../support/multipart.ts'

/*
 * A React client of a social site, as thousands of students have written it: axios with cookies, every
 * form as multipart, a refresh before each request, and a profile in the user.
 */

const PROJECT = {
  SECRET_KEY: 'django-insecure-of-fifty-characters-as-django-made-it-x',
  INSTALLED_APPS: ['dj_rest_auth', 'allauth.account', 'dj_rest_auth.registration'],
  REST_FRAMEWORK: {
    DEFAULT_AUTHENTICATION_CLASSES: ['dj_rest_auth.jwt_auth.JWTCookieAuthentication'],
    DATETIME_FORMAT: '%d %b %Y',
  },
  REST_USE_JWT: true,
  JWT_AUTH_SECURE: true,
  JWT_AUTH_COOKIE: 'my-app-auth',
  JWT_AUTH_REFRESH_COOKIE: 'my-refresh-token',
  JWT_AUTH_SAMESITE: 'None',
  REST_AUTH_SERIALIZERS: { USER_DETAILS_SERIALIZER: 'drf_api.serializers.CurrentUserSerializer' },
  CORS_ALLOWED_ORIGINS: [`${FRONT_END}/`],
  CORS_ALLOW_CREDENTIALS: true,
}

const headers = { ...AXIOS, origin: FRONT_END }
const ADA = { username: 'ada', password: STRONG }
const SIGN_UP = { username: 'ada', password1: STRONG, password2: STRONG }

async function start() {
  return startForProject(PROJECT, {
    AUTH_PREFIX: '/dj-rest-auth/',
    REST_AUTH: {
      USER_DETAILS_SERIALIZER: {
        fields: ['pk', 'username', 'email', 'profile_id', 'profile_image'],
        as: { profile_id: 'pk' },
      },
    },
    USER_FIELDS: {
      profile_image: { type: 'url', default: 'https://img.example.com/default.jpg' },
    },
  })
}

test('it signs up without an address, logs in, and finds its profile in the user', async () => {
  const { newBrowser } = await start()
  const browser = newBrowser()
  const signedUp = await browser.post('registration/', multipart(SIGN_UP), {
    type: MULTIPART,
    headers,
  })
  expect(signedUp.status).toBe(201)

  const { body, headers: answer } = await browser.post('login/', multipart(ADA), {
    type: MULTIPART,
    headers,
  })
  const { user, refresh_token } = body as { user: object; refresh_token: string }
  expect(user).toMatchObject({
    username: 'ada',
    profile_id: expect.any(Number),
    profile_image: 'https://img.example.com/default.jpg',
  })
  expect(decode(refresh_token).claims.exp).toEqual(expect.any(Number))
  expect(answer['access-control-allow-origin']).toBe(FRONT_END)
  expect(answer['access-control-allow-credentials']).toBe('true')
})

test('it refreshes by its cookie with an empty body, and goes on when access has expired', async () => {
  const { newBrowser, createUser, clock } = await start()
  await createUser({ username: 'ada', password: STRONG })
  const browser = newBrowser()
  await browser.post('login/', multipart(ADA), { type: MULTIPART, headers })
  clock.advance(6 * 60_000)
  expect((await browser.get('user/', { headers })).status).toBe(401)
  for (const type of ['', 'multipart/form-data']) {
    const { status, body } = await browser.post('token/refresh/', '', {
      headers,
      ...(type && { type }),
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ access: expect.any(String), access_token: expect.any(String) })
  }
  expect((await browser.get('user/', { headers })).body).toMatchObject({ username: 'ada' })

  expect(await browser.post('logout/', undefined, { headers })).toMatchReply(200, LOGGED_OUT)
  expect((await browser.get('user/', { headers })).status).toBe(401)
  expect((await browser.post('token/refresh/', undefined, { headers })).status).toBe(401)
})

test('it shows the errors of each field, and those of none', async () => {
  const { newBrowser, createUser } = await start()
  await createUser({ username: 'ada', password: STRONG })
  const browser = newBrowser()
  const send = (path: string, fields: Record<string, string>) =>
    browser.post(path, multipart(fields), { type: MULTIPART, headers })
  expect(await send('registration/', { ...SIGN_UP, password1: '' })).toMatchReply(400, {
    username: ['A user with that username already exists.'],
    password1: ['This field may not be blank.'],
  })
  expect(await send('registration/', { ...SIGN_UP, username: 'bob', password2: 'x' })).toMatchReply(
    400,
    { non_field_errors: ["The two password fields didn't match."] },
  )
  expect(await send('login/', { username: 'ada', password: 'wrong' })).toMatchReply(400, {
    non_field_errors: ['Unable to log in with provided credentials.'],
  })
})
