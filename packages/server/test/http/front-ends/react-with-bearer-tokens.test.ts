import { expect, test } from 'vitest'
import { requestReset, STRONG, twice, verificationKey } from '../../support/accounts.ts'
import { AXIOS, startForProject } from '../../support/front-end.ts'
import { bearer } from '../../support/jwt.ts'
import { PASSWORD } from '../../support/start-auth.ts'

const SECRET_KEY = 'django-insecure-of-fifty-characters-as-django-made-it-x'
const options = { headers: AXIOS }
const withToken = (access: string) => ({ headers: { ...AXIOS, ...bearer(access).headers } })

type Answer = { access: string; refresh: string }

test('a client that refreshes after a 401 keeps both new tokens, and tries again', async () => {
  const { request, createUser, clock } = await startForProject(
    {
      SECRET_KEY,
      INSTALLED_APPS: ['dj_rest_auth', 'rest_framework_simplejwt.token_blacklist'],
      REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false },
      SIMPLE_JWT: {
        ACCESS_TOKEN_LIFETIME: '0:15:00',
        REFRESH_TOKEN_LIFETIME: '7 days, 0:00:00',
        ROTATE_REFRESH_TOKENS: true,
        BLACKLIST_AFTER_ROTATION: true,
        UPDATE_LAST_LOGIN: true,
      },
    },
    { AUTH_PREFIX: '/api/dj-rest-auth/' },
  )
  await createUser({ username: 'ada' })
  const login = await request.post('login/', { username: 'ada', password: PASSWORD }, options)
  let tokens = login.body as Answer
  for (let times = 0; times < 3; times++) {
    clock.advance(16 * 60_000)
    expect((await request.get('user/', withToken(tokens.access))).status).toBe(401)
    const { body } = await request.post(
      'token/refresh/',
      { refresh: tokens.refresh },
      // Its defaults still send the access token that has expired.
      withToken(tokens.access),
    )
    tokens = body as Answer
    expect((await request.get('user/', withToken(tokens.access))).status).toBe(200)
  }
  const { refresh } = tokens
  expect((await request.post('logout/', { refresh }, withToken(tokens.access))).status).toBe(200)
  expect((await request.post('token/refresh/', { refresh }, options)).status).toBe(401)
})

test('a client that reads access_token and refresh_token from a query library', async () => {
  const { request, createUser } = await startForProject(
    { SECRET_KEY, REST_USE_JWT: true },
    { AUTH_PREFIX: '/dj-rest-auth/' },
  )
  await createUser({ username: 'ada', email: 'ada@example.com' })
  const { body } = await request.post('login/', { email: 'ada@example.com', password: PASSWORD })
  const { access_token, refresh_token } = body as Record<string, string>
  expect((await request.get('user/', bearer(access_token ?? ''))).status).toBe(200)
  // Before anybody has logged in it sends the word alone.
  for (const authorization of ['Bearer', 'Bearer null', 'Bearer undefined']) {
    const again = await request.post(
      'token/refresh/',
      { refresh_token },
      { headers: { authorization } },
    )
    expect(again.body).toMatchObject({ access_token: expect.any(String) })
  }
})

test('a sign-up form with fields of its own, which waits for the mail', async () => {
  const started = await startForProject(
    {
      SECRET_KEY,
      INSTALLED_APPS: ['dj_rest_auth.registration'],
      REST_AUTH: { USE_JWT: true, REGISTER_SERIALIZER: 'users.serializers.RegisterSerializer' },
      ACCOUNT_EMAIL_REQUIRED: true,
      ACCOUNT_EMAIL_VERIFICATION: 'mandatory',
    },
    {
      AUTH_PREFIX: '/dj-rest-auth/',
      USER_FIELDS: {
        name: { type: 'string', signup: true, required: true },
        surname: { type: 'string', signup: true, required: true },
        organisation: { type: 'string', signup: true },
      },
    },
  )
  const { request } = started
  const ada = {
    email: 'ada@example.com',
    username: 'ada',
    ...{ password1: STRONG, password2: STRONG },
    ...{ name: 'Ada', surname: 'Lovelace', organisation: '' },
  }
  const post = (form: object) => request.post('registration/', form, options)
  expect(await post({ ...ada, surname: '', email: 'x' })).toMatchReply(400, {
    surname: ['This field may not be blank.'],
    email: ['Enter a valid email address.'],
  })
  expect(await post(ada)).toMatchReply(201, { detail: 'Verification e-mail sent.' })
  const key = await verificationKey(started, ada.email)
  expect((await request.post('registration/verify-email/', { key }, options)).status).toBe(200)
  const login = await request.post('login/', { username: 'ada', password: STRONG }, options)
  expect(login.body).toMatchObject({
    user: { name: 'Ada', surname: 'Lovelace', organisation: '' },
  })
})

test('a client that confirms by opening the address behind the link, without its slash', async () => {
  const started = await startForProject(
    {
      SECRET_KEY,
      INSTALLED_APPS: ['dj_rest_auth.registration'],
      ACCOUNT_EMAIL_REQUIRED: true,
      ACCOUNT_EMAIL_VERIFICATION: 'mandatory',
      ACCOUNT_CONFIRM_EMAIL_ON_GET: true,
    },
    { AUTH_PREFIX: '/rest-auth/', ROUTES: { 'registration/': '/user/' } },
  )
  const { request, findUser } = started
  const ada = { username: 'ada', email: 'ada@example.com', password1: STRONG, password2: STRONG }
  await request.post('/user/', ada, options)
  const { link = '' } = (await started.mail.newest('verify-email', ada.email)).values
  const key = /account-confirm-email\/([^/]+)\/$/.exec(link)?.[1] ?? ''
  const opened = await request.get(`/user/account-confirm-email/${key}`, options)
  expect(opened).toMatchReply(200, { detail: 'ok' })
  expect(await findUser('ada')).toMatchObject({ email_verified: 1 })
})

test('a client that posts the new password to the address behind the link', async () => {
  const started = await startForProject(
    { SECRET_KEY, REST_USE_JWT: true },
    { AUTH_PREFIX: '/members/auth/' },
  )
  await started.createUser({ username: 'ada', email: 'ada@example.com' })
  const { uid, token } = await requestReset(started, 'ada@example.com')
  // Its router knows the link by this pattern.
  expect(`${uid}/${token}`).toMatch(/^[0-9A-Za-z_-]+\/[0-9A-Za-z]{1,13}-[0-9A-Za-z]{1,32}$/)
  const path = `password/reset/confirm/${uid}/${token}/`
  const refused = await started.request.post(path, twice('1234'), options)
  expect(refused.body).toHaveProperty('new_password2')
  expect(await started.request.post(path, { ...twice(STRONG), uid, token }, options)).toMatchReply(
    200,
    { detail: 'Password has been reset with the new password.' },
  )
})

test('a client whose paths are its own, most of them without a slash at the end', async () => {
  const started = await startForProject(
    {
      SECRET_KEY,
      INSTALLED_APPS: ['dj_rest_auth.registration'],
      REST_AUTH: { USE_JWT: true },
      ACCOUNT_EMAIL_REQUIRED: true,
      ACCOUNT_EMAIL_VERIFICATION: 'mandatory',
    },
    {
      AUTH_PREFIX: '/api/auth/',
      ROUTES: {
        'registration/': 'register/',
        'registration/resend-email/': 'resend-email/',
        'registration/account-confirm-email/': 'account-confirm-email/',
      },
      USER_FIELDS: { phone_number: { type: 'string', max_length: 20, signup: true } },
    },
  )
  const { request } = started
  const email = 'ada@example.com'
  const form = { username: 'ada', email, password1: STRONG, password2: STRONG, phone_number: '555' }
  expect((await request.post('register', form, options)).status).toBe(201)
  expect(await request.post('resend-email', { email }, options)).toMatchReply(200, { detail: 'ok' })
  const { key = '' } = (await started.mail.newest('verify-email', email)).values
  const confirmed = await request.post(`account-confirm-email/${key}/`, { key }, options)
  expect(confirmed).toMatchReply(200, { detail: 'ok' })
  // Without a key there is nothing to confirm, and no page to see.
  expect((await request.get('account-confirm-email/', options)).status).toBe(405)
  const { body } = await request.post('login', { username: 'ada', password: STRONG }, options)
  expect(body).toMatchObject({ user: { phone_number: '555' } })
})
