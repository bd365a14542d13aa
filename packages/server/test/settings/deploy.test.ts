import { expect, test } from 'vitest'
import { findings, found, sound } from './sound-deployment.ts'

test('a sound deployment has no findings, with SQLite and with PostgreSQL', () => {
  expect(found(sound)).toEqual([])
  expect(found({ ...sound, DATABASE_URL: 'postgres://u:p@db/latchkey' })).toEqual([])
})

test('a key that the service made for its embedded database is fine', () => {
  expect(found({ ...sound, SECRET_KEY: undefined })).toEqual([])
})

test('the defaults are meant for a first try, and everything unsafe in them is named', () => {
  expect(found({})).toEqual([
    'PUBLIC_URL',
    'EMAIL_URL',
    'REST_AUTH.OLD_PASSWORD_FIELD_ENABLED',
    'REST_AUTH.LOGOUT_ON_PASSWORD_CHANGE',
    'ACCOUNT.REAUTHENTICATION_REQUIRED',
    'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES',
    'REST_FRAMEWORK.NUM_PROXIES',
  ])
})

const AFTER_PUBLIC_URL = [
  'SESSION_COOKIE_SECURE',
  'CSRF_COOKIE_SECURE',
  'REST_AUTH.JWT_AUTH_SECURE',
  'REST_AUTH.PASSKEY_RP_ORIGINS',
  'PASSWORD_RESET_URL',
  'EMAIL_CONFIRM_URL',
  'EMAIL_CHANGE_URL',
  'INVITATION_URL',
]

test('findings that follow from a plain PUBLIC_URL are part of its finding', () => {
  const plain = { ...sound, PUBLIC_URL: 'http://auth.example.com' }
  expect(findings(plain)).toMatchObject([{ about: 'PUBLIC_URL', also: AFTER_PUBLIC_URL }])
  expect(found(sound)).toEqual([])
})

test('a setting that was given is a separate finding', () => {
  const plain = { ...sound, PUBLIC_URL: 'http://auth.example.com' }
  expect(findings({ ...plain, SESSION_COOKIE_SECURE: false })).toMatchObject([
    { about: 'PUBLIC_URL', also: AFTER_PUBLIC_URL.slice(1) },
    { about: 'SESSION_COOKIE_SECURE' },
  ])
})

test.each(['smtp://mail.example.com', 'smtp://u:p@mail.example.com:25?requireTLS=false'])(
  'mails may go out in the clear by %s',
  (EMAIL_URL) => expect(found({ ...sound, EMAIL_URL })).toEqual(['EMAIL_URL']),
)

test.each([
  'smtp://u:p@mail.example.com?requireTLS=true',
  'smtps://mail.example.com',
  'smtp://127.0.0.1:25',
  'smtp://localhost',
  'smtp://[::1]:25',
])('mails are safe by %s', (EMAIL_URL) => expect(found({ ...sound, EMAIL_URL })).toEqual([]))

test('every finding says what is wrong and how to fix it', () => {
  for (const { says, mend } of findings({})) {
    expect(says).not.toBe('')
    expect(mend).not.toBe('')
  }
})

const { REST_AUTH, REST_FRAMEWORK, ACCOUNT } = sound
const jwt = { ...REST_AUTH, USE_JWT: true }
const refreshCookie = { JWT_AUTH_REFRESH_COOKIE: 'refresh', JWT_AUTH_COOKIE_USE_CSRF: true }

test.each(['/', '/auth', '/auth/', '/auth/token/'])(
  'a refresh cookie with the path %s reaches its endpoint',
  (path) => {
    const cookie = { ...refreshCookie, JWT_AUTH_REFRESH_COOKIE_PATH: path }
    expect(found({ ...sound, REST_AUTH: { ...jwt, ...cookie } })).toEqual([])
  },
)

test.each<[setting: string, input: object]>([
  ['SECRET_KEY', { SECRET_KEY: 'a'.repeat(64) }],
  ['SECRET_KEY', { SECRET_KEY: 'django-insecure-5f0c9e4b7a1d836290b4e8c7d1f3a692' }],
  ['SECRET_KEY', { SECRET_KEY: 'please change me please change me, really' }],
  ['SIMPLE_JWT.SIGNING_KEY', { SIMPLE_JWT: { SIGNING_KEY: 'a'.repeat(64) } }],
  [
    'REST_AUTH.JWT_AUTH_REFRESH_COOKIE_PATH',
    { REST_AUTH: { ...jwt, ...refreshCookie, JWT_AUTH_REFRESH_COOKIE_PATH: '/elsewhere/' } },
  ],
  [
    'REST_AUTH.JWT_AUTH_REFRESH_COOKIE_PATH',
    { REST_AUTH: { ...jwt, ...refreshCookie, JWT_AUTH_REFRESH_COOKIE_PATH: '/au' } },
  ],
  ['SESSION_COOKIE_SECURE', { SESSION_COOKIE_SECURE: false }],
  ['CSRF_COOKIE_SECURE', { CSRF_COOKIE_SECURE: false }],
  ['REST_AUTH.JWT_AUTH_SECURE', { REST_AUTH: { ...jwt, JWT_AUTH_SECURE: false } }],
  ['REST_AUTH.JWT_AUTH_HTTPONLY', { REST_AUTH: { ...jwt, JWT_AUTH_HTTPONLY: false } }],
  ['REST_AUTH.JWT_AUTH_COOKIE_USE_CSRF', { REST_AUTH: { ...jwt, JWT_AUTH_COOKIE: 'access' } }],
  [
    'REST_AUTH.OLD_PASSWORD_FIELD_ENABLED',
    { REST_AUTH: { ...REST_AUTH, OLD_PASSWORD_FIELD_ENABLED: false } },
  ],
  [
    'REST_AUTH.LOGOUT_ON_PASSWORD_CHANGE',
    { REST_AUTH: { ...REST_AUTH, LOGOUT_ON_PASSWORD_CHANGE: false } },
  ],
  [
    'SIMPLE_JWT.ACCESS_TOKEN_LIFETIME',
    { REST_AUTH: jwt, SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '2h' } },
  ],
  [
    'SIMPLE_JWT.BLACKLIST_AFTER_ROTATION',
    { REST_AUTH: jwt, SIMPLE_JWT: { ROTATE_REFRESH_TOKENS: true } },
  ],
  [
    'SIMPLE_JWT.TOKEN_BLACKLIST_ENABLED',
    { REST_AUTH: jwt, SIMPLE_JWT: { TOKEN_BLACKLIST_ENABLED: false } },
  ],
  ['SIMPLE_JWT.REFRESH_REUSE_GRACE', { SIMPLE_JWT: { REFRESH_REUSE_GRACE: '5m' } }],
  ['ACCOUNT.REAUTHENTICATION_REQUIRED', { ACCOUNT: { REAUTHENTICATION_REQUIRED: false } }],
  ['ACCOUNT.LOGOUT_ON_GET', { ACCOUNT: { ...ACCOUNT, LOGOUT_ON_GET: true } }],
  ['ACCOUNT.EMAIL_VERIFICATION', { ACCOUNT: { ...ACCOUNT, EMAIL_VERIFICATION: 'none' } }],
  ['MFA_ALLOW_UNVERIFIED_EMAIL', { MFA_ALLOW_UNVERIFIED_EMAIL: true }],
  [
    'ACCOUNT.ALLOWED_EMAIL_DOMAINS',
    {
      ACCOUNT: { ...ACCOUNT, EMAIL_VERIFICATION: 'optional', ALLOWED_EMAIL_DOMAINS: ['a.example'] },
    },
  ],
  ['ACCOUNT.RATE_LIMITS', { ACCOUNT: { ...ACCOUNT, RATE_LIMITS: { mfa_failed: 'none' } } }],
  [
    'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES',
    { REST_FRAMEWORK: { ...REST_FRAMEWORK, DEFAULT_THROTTLE_RATES: {} } },
  ],
  ['REST_FRAMEWORK.NUM_PROXIES', { REST_FRAMEWORK: { ...REST_FRAMEWORK, NUM_PROXIES: 0 } }],
  ['CSRF_TRUSTED_ORIGINS', { CSRF_TRUSTED_ORIGINS: ['http://app.example.com'] }],
  ['CORS_ALLOWED_ORIGINS', { CORS_ALLOWED_ORIGINS: 'https://a.example,http://localhost:3000' }],
  ['EMAIL_URL', { EMAIL_URL: 'file:mails' }],
  ['PASSWORD_RESET_URL', { PASSWORD_RESET_URL: 'http://a.example/{uid}/{token}' }],
  ['EMAIL_CONFIRM_URL', { EMAIL_CONFIRM_URL: 'http://a.example/{key}' }],
  ['EMAIL_CHANGE_URL', { EMAIL_CHANGE_URL: 'http://a.example/{key}' }],
  ['INVITATION_URL', { INVITATION_URL: 'http://a.example/{key}' }],
  [
    'ACCOUNT.LOGIN_BY_CODE_TIMEOUT',
    { ACCOUNT: { LOGIN_BY_CODE_ENABLED: true, LOGIN_BY_CODE_TIMEOUT: '2h' } },
  ],
  ['PASSWORD_RESET_TIMEOUT', { PASSWORD_RESET_TIMEOUT: '2d' }],
  ['ACCOUNT.CONFIRM_EMAIL_ON_GET', { ACCOUNT: { CONFIRM_EMAIL_ON_GET: true } }],
  ['ACCOUNT.REAUTHENTICATION_TIMEOUT', { ACCOUNT: { REAUTHENTICATION_TIMEOUT: '365d' } }],
  ['REST_AUTH.VERSION', { REST_AUTH: { ...jwt, ...refreshCookie, VERSION: '2.2' } }],
  ['SIMPLE_JWT.LEEWAY', { REST_AUTH: jwt, SIMPLE_JWT: { LEEWAY: '2m' } }],
  ...(
    [
      ['MFA_EPHEMERAL_TOKEN_TIMEOUT', '30d'],
      ['PASSKEY_CHALLENGE_TIMEOUT', '2h'],
      ['MFA_TOTP_PERIOD', 121],
    ] as const
  ).map(([name, value]): [string, object] => [
    `REST_AUTH.${name}`,
    { REST_AUTH: { ...REST_AUTH, [name]: value } },
  ]),
  ['PASSWORD_HASHERS', { PASSWORD_HASHERS: ['pbkdf2_sha1', 'argon2'] }],
])('%s alone is found in %j', (setting, input: { ACCOUNT?: object }) => {
  const ACCOUNT = { ...sound.ACCOUNT, ...input.ACCOUNT }
  expect(found({ ...sound, ...input, ACCOUNT })).toEqual([setting])
})

test('values at the bounds, and parts that are not in use, have no findings', () => {
  const ACCOUNT = { ...sound.ACCOUNT, REAUTHENTICATION_TIMEOUT: '1h' }
  const long = { MFA_EPHEMERAL_TOKEN_TIMEOUT: '30d', MFA_TOTP_PERIOD: 3600 }
  for (const input of [
    { ACCOUNT },
    { REST_AUTH: { ...jwt, ...refreshCookie, VERSION: '3' } },
    { REST_AUTH: { ...jwt, VERSION: '2' } },
    { REST_AUTH: { ...REST_AUTH, JWT_AUTH_REFRESH_COOKIE: 'refresh', VERSION: '2' } },
    { REST_AUTH: jwt, SIMPLE_JWT: { LEEWAY: '1m' } },
    { SIMPLE_JWT: { LEEWAY: '10d' } },
    { REST_AUTH: { ...REST_AUTH, MFA_EPHEMERAL_TOKEN_TIMEOUT: '1h', MFA_TOTP_PERIOD: 120 } },
    { REST_AUTH: { ...REST_AUTH, PASSKEY_CHALLENGE_TIMEOUT: '1h' } },
    { REST_AUTH: { ...REST_AUTH, ...long, PASSKEY_CHALLENGE_TIMEOUT: '30d' }, MODULES: ['pages'] },
  ])
    expect(found({ ...sound, ...input }), JSON.stringify(input)).toEqual([])
})

test.each([
  ['HS512', { SIMPLE_JWT: { ALGORITHM: 'HS512' } }],
  [
    'HS384',
    { SIMPLE_JWT: { ALGORITHM: 'HS384', SIGNING_KEY: '5f0c9e4b7a1d836290b4e8c7d1f3a692' } },
  ],
])('a key that is shorter than the hash of %s', (_, settings) => {
  const shared = { ...sound, REST_AUTH: { ...sound.REST_AUTH, USE_JWT: true }, ...settings }
  expect(found(shared)).toContain('SIMPLE_JWT.SIGNING_KEY')
  expect(found({ ...sound, ...settings })).not.toContain('SIMPLE_JWT.SIGNING_KEY')
  const SIGNING_KEY = '5f0c9e4b7a1d836290b4e8c7d1f3a692'.repeat(2)
  const longer = { ...shared, SIMPLE_JWT: { ...settings.SIMPLE_JWT, SIGNING_KEY } }
  expect(found(longer)).not.toContain('SIMPLE_JWT.SIGNING_KEY')
})

test('where operators log in, an old session is a finding of its own', () => {
  const stale = { ...sound, MODULES: ['mfa', 'pages', 'admin'], ACCOUNT: {} }
  expect(findings(stale).map(({ says }) => says)).toEqual([
    expect.stringContaining('log in later'),
    expect.stringContaining('log in to the admin'),
  ])
})

test('an admin API that strangers reach is a finding', () => {
  const admin = { ...sound, MODULES: ['mfa', 'pages', 'admin'] }
  const https = { ADMIN_PUBLIC_URL: 'https://admin.example.com' }
  expect(found(admin)).toEqual([])
  expect(found({ ...admin, ADMIN_LISTEN: '[::1]:9000' })).toEqual([])
  expect(found({ ...admin, ADMIN_LISTEN: '0.0.0.0:8001' })).toEqual(['ADMIN_LISTEN'])
  expect(found({ ...admin, ADMIN_LISTEN: '0.0.0.0:8001', ...https })).toEqual([])
  expect(found({ ...admin, ADMIN_LISTEN: 'public' })).toEqual(['ADMIN_LISTEN'])
  expect(found({ ...sound, ADMIN_LISTEN: '0.0.0.0:8001' })).toEqual([])
})

test('admin pages over plain http are a finding, unless on loopback', () => {
  const admin = { ...sound, MODULES: ['mfa', 'pages', 'admin'] }
  const plain = { ADMIN_PUBLIC_URL: 'http://admin.example.com' }
  expect(found({ ...admin, ...plain })).toEqual(['ADMIN_PUBLIC_URL'])
  expect(found({ ...admin, ...plain, ADMIN_LISTEN: '0.0.0.0:8001' })).toEqual(['ADMIN_LISTEN'])
  for (const ADMIN_PUBLIC_URL of ['http://localhost:9000', 'http://[::1]', 'https://ops.example'])
    expect(found({ ...admin, ADMIN_PUBLIC_URL })).toEqual([])
  expect(found({ ...sound, ...plain })).toEqual([])
  const shared = { ...admin, PUBLIC_URL: 'http://auth.example.com', ADMIN_LISTEN: 'public' }
  expect(findings(shared)).toMatchObject([
    { about: 'PUBLIC_URL', also: [...AFTER_PUBLIC_URL, 'ADMIN_PUBLIC_URL'] },
    { about: 'ADMIN_LISTEN' },
  ])
})
