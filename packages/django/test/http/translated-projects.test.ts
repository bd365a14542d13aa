import { expect, test } from 'vitest'
import { signup } from '../../../server/test/support/accounts.ts'
import { KEY } from '../../../server/test/support/answers.ts'
import type { Pair } from '../../../server/test/support/jwt.ts'
import { PASSWORD, startAuth } from '../../../server/test/support/start-auth.ts'
import { convert } from '../settings/support/convert.ts'
import { accountUrls, found, jwtUrls, registrationUrls } from '../settings/support/recipe.ts'

/* Projects as the recipe writes them, translated by the command alone, and asked at their own paths. */

const SECRET_KEY = 'django-insecure-of-fifty-characters-as-django-made-it-x'
const NOT_FOUND = [404, { detail: 'Not found.' }] as const

const start = (django: object) => startAuth(convert({ SECRET_KEY, ...django }).settings)

test('an app that is installed but has no URLs opens nothing', async () => {
  const { request, createUser, findUser } = await start({
    INSTALLED_APPS: ['dj_rest_auth', 'dj_rest_auth.registration'],
    ...found({ urls: accountUrls('v1/auth/') }),
  })
  await createUser({ username: 'ada' })
  for (const path of ['/v1/auth/registration/', '/auth/registration/']) {
    expect(await request.post(path, signup('eve'))).toMatchReply(...NOT_FOUND)
  }
  await expect(findUser('eve')).rejects.toThrow()
  const login = { username: 'ada', password: PASSWORD }
  expect(await request.post('/v1/auth/login/', login)).toMatchReply(200, KEY)
})

test('the package before dj-rest-auth: sign-up stays open, at its own path, and so do links', async () => {
  const { request, mail } = await start({
    INSTALLED_APPS: ['rest_auth', 'rest_auth.registration'],
    ACCOUNT_EMAIL_VERIFICATION: 'mandatory',
    ...found({
      version: '0.9.5',
      urls: [
        ...accountUrls('rest-auth/', 'rest_auth'),
        ...registrationUrls('sign-up/', 'rest_auth'),
        { path: 'reset/<uidb64>/<token>/', name: 'password_reset_confirm' },
      ],
    }),
  })
  const reply = await request.post('/sign-up/', signup('ada'))
  expect(reply).toMatchReply(201, { detail: 'Verification e-mail sent.' })
  const [letter] = await mail.letters()
  expect(JSON.stringify(letter)).toContain('/sign-up/account-confirm-email/')
  const bad = await request.get('/reset/x/y-z/', { headers: { accept: 'application/json' } })
  expect(bad.status).toBe(400)
})

test('JWT of dj-rest-auth 2: the old names, the refresh token in the body, no cookies at sign-up', async () => {
  const { newBrowser } = await start({
    INSTALLED_APPS: ['dj_rest_auth', 'dj_rest_auth.registration'],
    REST_USE_JWT: true,
    JWT_AUTH_COOKIE: 'auth',
    JWT_AUTH_REFRESH_COOKIE: 'refresh',
    ...found({
      version: '2.2.5',
      urls: [...accountUrls('api/'), ...jwtUrls('api/'), ...registrationUrls('api/registration/')],
    }),
  })
  const browser = newBrowser()
  const account = signup('ada')
  expect((await browser.post('/api/registration/', account)).cookies).toEqual([])
  const login = { username: 'ada', password: account.password1 }
  const { body, cookies } = await browser.post('/api/login/', login)
  const { refresh, refresh_token } = body as Pair & { refresh_token: string }
  expect(refresh_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(refresh).toBe(refresh_token)
  expect(cookies.map(({ name, httpOnly }) => [name, httpOnly])).toEqual([
    ['auth', true],
    ['refresh', true],
  ])
})
