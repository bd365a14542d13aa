import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { factsIn } from '../../support/pages.ts'
import { startAuth } from '../../support/start-auth.ts'

const PAGES = ['', 'login/', 'two-factor/', 'register/', 'check-your-mail/', 'password/reset/']

test('every page is there, with and without its slash, and is never kept', async () => {
  const { request } = await startAuth()
  for (const page of PAGES) {
    for (const path of [`/account/${page}`, `/account/${page}`.replace(/\/$/, '')]) {
      const reply = await request.get(path)
      expect(reply.status, path).toBe(200)
      expect(reply.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      })
    }
  }
  const wrong = await request.post('/account/login/')
  expect(wrong).toMatchReply(405, { detail: 'Method "POST" not allowed.' })
  expect((await request.get('/account/nowhere/')).status).toBe(404)
})

test('the policy allows our own files and nothing else, and no script stands in the page', async () => {
  const { request } = await startAuth({ SITE_COLOR: '#ffcc00' })
  const { body, headers } = await request.get('/account/login/')
  const page = String(body)
  const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy.toSorted()).toEqual(
    [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'sha256-${hash}'`,
      "connect-src 'self'",
      'img-src data:',
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].toSorted(),
  )
  const scripts = [...page.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)]
  expect(scripts.map(([, attributes]) => attributes)).toEqual([
    expect.stringMatching(/^ type="module" src="\/account\/assets\/[\w-]+\.js"$/),
    ' type="application/json" id="facts"',
  ])
  expect(page).not.toMatch(/ on\w+=|style="|https?:\/\/(?!www\.w3\.org)/)
})

test('the files have names that change with them, and are kept for good', async () => {
  const { request, app } = await startAuth()
  const page = String((await request.get('/account/login/')).body)
  const files = [...page.matchAll(/(?:src|href)="(\/account\/assets\/[^"]+)"/g)].map(
    ([, url]) => url,
  )
  expect(files).toHaveLength(2)
  for (const url of files) {
    const plain = await app.inject({ url: url ?? '' })
    expect(plain.statusCode).toBe(200)
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/^text\/(css|javascript); charset=utf-8$/),
      vary: 'Accept-Encoding',
    })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const headers = { 'accept-encoding': 'gzip, br' }
    const small = await app.inject({ url: url ?? '', headers })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(small.rawPayload).equals(plain.rawPayload)).toBe(true)
    const refusing = { 'accept-encoding': 'gzip;q=0, identity' }
    const whole = await app.inject({ url: url ?? '', headers: refusing })
    expect(whole.headers).not.toHaveProperty('content-encoding')
  }
  for (const name of ['nothing.js', '..%2fmanifest.json', 'constructor']) {
    expect((await request.get(`/account/assets/${name}`)).status, name).toBe(404)
  }
})

test('a cache keeps the files for each origin apart', async () => {
  const { request, app } = await startAuth({ CORS_ALLOWED_ORIGINS: ['https://app.example'] })
  const page = String((await request.get('/account/login/')).body)
  const [, url = ''] = /src="([^"]+)"/.exec(page) ?? []
  const { headers } = await app.inject({ url, headers: { origin: 'https://app.example' } })
  expect(String(headers.vary).split(', ').toSorted()).toEqual(['Accept-Encoding', 'Origin'])
})

test('a page knows how the service is set up, in the name and the colour of the site', async () => {
  const { request } = await startAuth({
    SITE_NAME: 'Hüte & <Co>',
    SITE_COLOR: '#00ff88',
    PAGES_PREFIX: '/me/',
    AUTH_PREFIX: '/api/',
    USER_FIELDS: { team: { type: 'string', signup: true } },
    ACCOUNT: { LOGIN_METHODS: ['email'], SIGNUP_FIELDS: ['email*', 'password1*'] },
    SOCIALACCOUNT: { PROVIDERS: { github: { APP: { client_id: 'x', secret: 'a secret' } } } },
  })
  const reply = await request.get('/me/login/')
  expect(reply.body).toContain('<title>Sign in · Hüte &#38; &#60;Co&#62;</title>')
  expect(reply.body).toContain('--accent:#00ff88')
  expect(reply.body).not.toContain('a secret')
  expect(factsIn(reply)).toMatchObject({
    site: 'Hüte & <Co>',
    api: '/api/',
    pages: '/me/',
    credential: 'session',
    loginMethods: ['email'],
    signupFields: ['email*', 'password1*'],
    userFields: { team: { type: 'string' } },
    providers: [{ name: 'github', title: 'GitHub' }],
    next: null,
  })
})

test.each([
  [{}, 'session'],
  [{ SESSION_LOGIN: false }, 'token'],
  [{ USE_JWT: true }, 'jwt'],
  [{ USE_JWT: true, JWT_AUTH_COOKIE: 'a', JWT_AUTH_REFRESH_COOKIE: 'r' }, 'jwt-cookie'],
  [{ USE_JWT: true, SESSION_LOGIN: true }, 'session'],
])('with %j the pages keep a %s', async (REST_AUTH, credential) => {
  const { request } = await startAuth({ REST_AUTH })
  const facts = factsIn(await request.get('/account/'))
  expect(facts).toMatchObject({ credential })
  expect(facts).not.toHaveProperty('clientOptions')
})

test.each([
  [{ REST_AUTH: { ANSWER_NAMES: { key: ['token', 'key'] } } }, undefined],
  [{ REST_AUTH: { ANSWER_NAMES: { key: 'token' } } }, { answerNames: { key: 'token' } }],
  [{ SIMPLE_JWT: { AUTH_HEADER_TYPES: ['JWT', 'Bearer'] } }, { authHeaderType: 'JWT' }],
  [{ REST_AUTH: { USE_JWT: true, JWT_AUTH_COOKIE: 'access' } }, { cookies: true }],
  [{ REST_AUTH: { USE_JWT: true, JWT_AUTH_REFRESH_COOKIE: 'refresh' } }, { cookies: true }],
  [
    {
      REST_AUTH: { USE_JWT: true, JWT_AUTH_REFRESH_COOKIE: 'refresh' },
      SIMPLE_JWT: { ROTATE_REFRESH_TOKENS: true },
    },
    { cookies: true, rotatesCookie: true },
  ],
])('with %j the pages know what else differs: %j', async (settings, clientOptions) => {
  const { request } = await startAuth(settings)
  expect(factsIn(await request.get('/account/')).clientOptions).toEqual(clientOptions)
})

test('the language is the one that the visitor likes best', async () => {
  const { request } = await startAuth()
  for (const [accepted, language, title] of [
    ['de-AT,de;q=0.9,en;q=0.5', 'de', 'Anmelden'],
    ['en-GB,de;q=0.9', 'en', 'Sign in'],
    ['xh, de;q=0.5', 'de', 'Anmelden'],
    ['de;q=0, en', 'en', 'Sign in'],
    ['xh', 'en', 'Sign in'],
    ['*;;;=,,', 'en', 'Sign in'],
    ['', 'en', 'Sign in'],
  ]) {
    const headers = { 'accept-language': accepted ?? '' }
    const { body, headers: sent } = await request.get('/account/login/', { headers })
    expect(body, accepted).toContain(`<html lang="${language}">`)
    expect(body, accepted).toContain(`<h1>${title}</h1>`)
    expect(sent.vary).toContain('Accept-Language')
  }
})

test('?next= leads to our own site and to the listed ones, and nowhere else', async () => {
  const { request } = await startAuth({
    CORS_ALLOWED_ORIGINS: ['https://app.example'],
    CSRF_TRUSTED_ORIGINS: ['https://shop.example:8443'],
  })
  const nextOf = async (next: string) =>
    factsIn(await request.get(`/account/login/?next=${encodeURIComponent(next)}`)).next
  const OWN = 'http://localhost:8000'
  expect(await nextOf('/orders?page=2#top')).toBe('/orders?page=2#top')
  for (const good of [
    `${OWN}/orders`,
    'https://app.example/home#top',
    'https://shop.example:8443/',
  ]) {
    expect(await nextOf(good), good).toBe(good)
  }
  for (const bad of [
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    'https:evil.example',
    'https://evil.example/',
    'https://app.example.evil.example/',
    'https://app.example@evil.example/',
    'http://app.example/',
    'https://shop.example/',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,hello',
    'https://',
    `/${'x'.repeat(3000)}`,
  ]) {
    expect(await nextOf(bad), bad).toBeNull()
  }
  const twice = await request.get('/account/login/?next=/a&next=//evil.example')
  expect(factsIn(twice).next).toBeNull()
  // A Host that is longer than any is not parsed. PUBLIC_URL is our own site then.
  const headers = { host: 'a'.repeat(300) }
  const elsewhere = await request.get(`/account/login/?next=${OWN}/orders`, { headers })
  expect(factsIn(elsewhere).next).toBe('/orders')
})

test('with the module off there are no pages, and the links in mails lead where they led', async () => {
  const { request, settings } = await startAuth({ MODULES: ['registration', 'mfa'] })
  for (const page of PAGES) expect((await request.get(`/account/${page}`)).status).toBe(404)
  expect(settings.EMAIL_CONFIRM_URL).toBe(
    'http://localhost:8000/auth/registration/account-confirm-email/{key}/',
  )
  expect(settings.PASSWORD_RESET_URL).toBe(
    'http://localhost:8000/auth/password/reset/confirm/{uid}/{token}/',
  )
})

test('a page of what is off does not exist', async () => {
  const { request } = await startAuth({ MODULES: ['pages'] })
  expect((await request.get('/account/register/')).status).toBe(404)
  expect((await request.get('/account/confirm/x')).status).toBe(404)
  expect((await request.get('/account/login/')).status).toBe(200)
  expect((await request.get('/account/login/code/')).status).toBe(404)
  const { request: other } = await startAuth({ ACCOUNT: { LOGIN_BY_CODE_ENABLED: true } })
  expect((await other.get('/account/login/code')).status).toBe(200)
})

test.each([
  ['where they work', {}, true],
  ['not where only an app is an origin', { PASSKEY_RP_ORIGINS: ['http://localhost:3000'] }, false],
  ['not where the domain is another one', { PASSKEY_RP_ID: 'example.org' }, false],
])('the pages offer passkeys %s', async (_, REST_AUTH, isOffered) => {
  const { request } = await startAuth({ REST_AUTH })
  const { modules, passkeySignup } = factsIn(await request.get('/account/login/'))
  expect((modules as string[]).includes('passkeys')).toBe(isOffered)
  expect(passkeySignup).toBe(isOffered)
})
