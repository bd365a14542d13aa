import { expect, test } from 'vitest'
import { resolveSettings } from '../../src/settings/resolve.ts'

const SECRET_KEY = 'a key for tests, of 32 characters'
const secure = { SESSION_COOKIE_SECURE: true, CSRF_COOKIE_SECURE: true }

test.each<[rule: string, input: object, mistake: string]>([
  [
    'some way to log in is needed',
    { REST_AUTH: { TOKEN_MODEL: null, SESSION_LOGIN: false } },
    'REST_AUTH.TOKEN_MODEL: is off, and so are REST_AUTH.USE_JWT and REST_AUTH.SESSION_LOGIN, so nobody could log in; switch one of them on',
  ],
  [
    'an account is lent as a session or an access token',
    { ADMIN_IMPERSONATION: true, REST_AUTH: { SESSION_LOGIN: false } },
    'ADMIN_IMPERSONATION: needs sessions and the module pages, or REST_AUTH.USE_JWT',
  ],
  [
    'pages and endpoints have paths of their own',
    { PAGES_PREFIX: '/auth/' },
    'PAGES_PREFIX: is the same path as AUTH_PREFIX',
  ],
  ...[
    { AUTH_PREFIX: '/__test/' },
    { PAGES_PREFIX: '/__test/pages/' },
    { ROUTES: { 'login/': ['enter/', '/__test/login/'] } },
    { AUTH_PREFIX: '/', ROUTES: { 'login/': '__test/login/' } },
  ].map((input): [string, object, string] => [
    `nothing lies below the path of the test service: ${JSON.stringify(input)}`,
    input,
    'can be below /__test/',
  ]),
  ...[
    { PAGES_PREFIX: '/admin/' },
    { ROUTES: { 'login/': '/admin/api/login/' } },
    { ROUTES: { 'user/': ['/me/', '/admin/users/5/'] } },
  ].map((input): [string, object, string] => [
    `nothing lies below the path of a public admin API: ${JSON.stringify(input)}`,
    { ...input, MODULES: ['pages', 'admin'], ADMIN_LISTEN: 'public' },
    'nothing else can be below /admin/',
  ]),
  ...['SITE_KEY', 'SECRET'].map((name): [string, object, string] => [
    `a captcha needs its ${name}`,
    { CAPTCHA: { PROVIDER: 'turnstile', SITE_KEY: 'x', SECRET: 'y', [name]: null } },
    `CAPTCHA.${name}: must be set, since CAPTCHA.PROVIDER is`,
  ]),
  [
    'failures must be counted to ask for a captcha after them',
    {
      CAPTCHA: { PROVIDER: 'turnstile', SITE_KEY: 'x', SECRET: 'y' },
      ACCOUNT: { RATE_LIMITS: { login_failed: 'none' } },
    },
    'CAPTCHA.ON: contains login_after_failures, but ACCOUNT.RATE_LIMITS.login_failed is none',
  ],
  [
    'no field of users takes the place of a captcha',
    {
      CAPTCHA: { PROVIDER: 'turnstile', SITE_KEY: 'x', SECRET: 'y' },
      USER_FIELDS: { captcha: { type: 'string' } },
    },
    'USER_FIELDS: contains the field captcha',
  ],
  [
    'PostgreSQL needs a secret key',
    { DATABASE_URL: 'postgres://db/latchkey' },
    'SECRET_KEY: must be set when PostgreSQL is used',
  ],
  [
    'an asymmetric algorithm needs a signing key',
    { SIMPLE_JWT: { ALGORITHM: 'ES256' } },
    'SIMPLE_JWT.SIGNING_KEY: must be set',
  ],
  [
    'a shared signing key cannot be guessed',
    { SIMPLE_JWT: { SIGNING_KEY: 'x'.repeat(31) } },
    'SIMPLE_JWT.SIGNING_KEY: is shorter than 32 bytes',
  ],
  [
    'not with a longer hash either',
    { SIMPLE_JWT: { ALGORITHM: 'HS512', SIGNING_KEY: 'x'.repeat(31) } },
    'SIMPLE_JWT.SIGNING_KEY: is shorter than 32 bytes',
  ],
  [
    'one word announces one kind of credential',
    { REST_AUTH: { USE_JWT: true }, SIMPLE_JWT: { AUTH_HEADER_TYPES: ['Bearer', 'token'] } },
    'SIMPLE_JWT.AUTH_HEADER_TYPES: contains Token, which announces the key of REST_AUTH.TOKEN_MODEL',
  ],
  [
    'a cross-site session cookie must be secure',
    { SESSION_COOKIE_SAMESITE: 'None' },
    'SESSION_COOKIE_SAMESITE: is None; browsers accept that only if SESSION_COOKIE_SECURE is true',
  ],
  [
    'a cross-site CSRF cookie must be secure',
    { CSRF_COOKIE_SAMESITE: 'None' },
    'CSRF_COOKIE_SAMESITE: is None; browsers accept that only if CSRF_COOKIE_SECURE is true',
  ],
  [
    'a cross-site JWT cookie must be secure',
    { REST_AUTH: { JWT_AUTH_SAMESITE: 'None' } },
    'REST_AUTH.JWT_AUTH_SAMESITE: is None; browsers accept that only if REST_AUTH.JWT_AUTH_SECURE is true',
  ],
  [
    'the refresh cookie is not the access cookie',
    { REST_AUTH: { JWT_AUTH_COOKIE: 'jwt', JWT_AUTH_REFRESH_COOKIE: 'jwt' } },
    'REST_AUTH.JWT_AUTH_REFRESH_COOKIE: is the same as REST_AUTH.JWT_AUTH_COOKIE',
  ],
  [
    'the refresh cookie is not the session cookie',
    { REST_AUTH: { JWT_AUTH_REFRESH_COOKIE: 'sessionid' } },
    'REST_AUTH.JWT_AUTH_REFRESH_COOKIE: is the same as SESSION_COOKIE_NAME',
  ],
  [
    'the access cookie is not the CSRF cookie',
    { REST_AUTH: { JWT_AUTH_COOKIE: 'csrftoken' } },
    'REST_AUTH.JWT_AUTH_COOKIE: is the same as CSRF_COOKIE_NAME',
  ],
  [
    'the CSRF cookie is not the session cookie',
    { CSRF_COOKIE_NAME: 'sessionid' },
    'CSRF_COOKIE_NAME: is the same as SESSION_COOKIE_NAME',
  ],
  [
    'a cookie with the prefix __Secure- is secure',
    { SESSION_COOKIE_NAME: '__Secure-session' },
    'SESSION_COOKIE_NAME: has the prefix',
  ],
  [
    'a cookie with the prefix __Host- has no domain',
    { ...secure, CSRF_COOKIE_NAME: '__Host-csrf', CSRF_COOKIE_DOMAIN: 'example.com' },
    'CSRF_COOKIE_NAME: has the prefix',
  ],
  [
    'a cookie with the prefix __Host- has no path of its own',
    {
      REST_AUTH: {
        JWT_AUTH_SECURE: true,
        JWT_AUTH_REFRESH_COOKIE: '__Host-refresh',
        JWT_AUTH_REFRESH_COOKIE_PATH: '/auth/',
      },
    },
    'REST_AUTH.JWT_AUTH_REFRESH_COOKIE: has the prefix',
  ],
  [
    'an invitation opens a page',
    { ACCOUNT: { SIGNUP: 'invited' }, MODULES: ['registration'] },
    'INVITATION_URL: must be set, since the module pages is off',
  ],
  [
    'no field of users is called invitation',
    { ACCOUNT: { SIGNUP: 'invited' }, USER_FIELDS: { invitation: { type: 'string' } } },
    'USER_FIELDS: contains the field invitation',
  ],
  [
    'registration asks for a password',
    { ACCOUNT: { SIGNUP_FIELDS: 'username*,password1' } },
    'ACCOUNT.SIGNUP_FIELDS: must contain password1*',
  ],
  [
    'registration asks for a name or an address',
    { ACCOUNT: { SIGNUP_FIELDS: 'username,email,password1*' } },
    'ACCOUNT.SIGNUP_FIELDS: must contain username* or email*',
  ],
  [
    'a field is required or not',
    { ACCOUNT: { SIGNUP_FIELDS: 'username*,username,password1*' } },
    'ACCOUNT.SIGNUP_FIELDS: contains a field twice, with and without a star',
  ],
  [
    'mandatory verification needs an address',
    { ACCOUNT: { SIGNUP_FIELDS: 'username*,password1*', EMAIL_VERIFICATION: 'mandatory' } },
    'ACCOUNT.SIGNUP_FIELDS: must contain email*, since ACCOUNT.EMAIL_VERIFICATION',
  ],
  [
    'login by address needs an address',
    { ACCOUNT: { SIGNUP_FIELDS: 'username*,password1*', LOGIN_METHODS: 'email' } },
    'ACCOUNT.SIGNUP_FIELDS: must contain email*, since ACCOUNT.LOGIN_METHODS',
  ],
])('%s', (_, input, mistake) => {
  expect(() => resolveSettings(input)).toThrow(mistake)
})

test.each<[choice: string, input: object]>([
  ['JWT alone', { REST_AUTH: { USE_JWT: true, TOKEN_MODEL: null } }],
  ['PostgreSQL with a key', { DATABASE_URL: 'postgresql://u:p@db:5432/x', SECRET_KEY }],
  ['a shared signing key of 32 bytes', { SIMPLE_JWT: { SIGNING_KEY: 'ä'.repeat(16) } }],
  ['an asymmetric key', { SIMPLE_JWT: { ALGORITHM: 'EdDSA', SIGNING_KEY: 'keys/private.pem' } }],
  [
    'cross-site cookies over https',
    { PUBLIC_URL: 'https://a.example', CSRF_COOKIE_SAMESITE: 'None' },
  ],
  ['a cookie with a kept prefix', { ...secure, SESSION_COOKIE_NAME: '__Host-session' }],
  ['registration by address alone', { ACCOUNT: { SIGNUP_FIELDS: ['email*', 'password1*'] } }],
])('%s breaks no rule', (_, input) => {
  expect(() => resolveSettings(input)).not.toThrow()
})

test('a rule does not judge a setting that was refused already', () => {
  const input = { SESSION_COOKIE_SAMESITE: 'None', SESSION_COOKIE_SECURE: 'maybe' }
  expect(() => resolveSettings(input)).toThrow(
    /^SESSION_COOKIE_SECURE \(settings\): got "maybe", expected true or false$/,
  )
})
