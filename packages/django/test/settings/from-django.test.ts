import { expect, test } from 'vitest'
import { convert, SESSION, TOKEN } from './support/convert.ts'
import * as projects from './support/django-projects.ts'
import { SECRET } from './support/django-projects.ts'

test('a project with API keys', () => {
  const { settings } = convert(projects.plainToken)
  expect(settings).toMatchObject({
    SECRET_KEY: SECRET,
    MODULES: ['social', 'mfa', 'passkeys', 'pages'],
    REST_AUTH: { OLD_PASSWORD_FIELD_ENABLED: true },
    REST_FRAMEWORK: {
      DEFAULT_AUTHENTICATION_CLASSES: ['token'],
      DEFAULT_THROTTLE_RATES: { auth_service: '30/minute' },
    },
    CORS_ALLOWED_ORIGINS: ['http://localhost:3000', 'https://app.example.com'],
    EMAIL_URL: 'console:',
  })
  expect(settings).not.toHaveProperty('ACCOUNT')
})

test('a project with JWT cookies, and the session that dj-rest-auth opens beside them', () => {
  const { settings } = convert(projects.jwtCookie)
  expect(settings).toMatchObject({
    REST_AUTH: {
      USE_JWT: true,
      SESSION_LOGIN: true,
      JWT_AUTH_COOKIE: 'my-app-auth',
      JWT_AUTH_REFRESH_COOKIE: 'my-refresh-token',
      JWT_AUTH_SAMESITE: 'None',
      JWT_AUTH_SECURE: true,
    },
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['jwt', 'session'] },
    SIMPLE_JWT: {
      ACCESS_TOKEN_LIFETIME: '15m',
      REFRESH_TOKEN_LIFETIME: '7d',
      ROTATE_REFRESH_TOKENS: true,
      BLACKLIST_AFTER_ROTATION: true,
    },
    ACCOUNT: {
      EMAIL_VERIFICATION: 'mandatory',
      LOGIN_METHODS: ['email'],
      SIGNUP_FIELDS: ['email*', 'password1*', 'password2*'],
    },
    EMAIL_URL:
      'smtp://mailer%40example.com:p%40ss%2Fword%3Awith%3Fmarks@mail.example.com:587?requireTLS=true',
    EMAIL_FROM: 'Example <noreply@example.com>',
    CSRF_TRUSTED_ORIGINS: ['https://app.example.com'],
    SESSION_COOKIE_SAMESITE: 'None',
  })
  // Without URL patterns nothing tells whether an app that is installed can be reached.
  expect(settings.MODULES).toEqual(['social', 'mfa', 'passkeys', 'pages'])
  expect(settings.SIMPLE_JWT).toHaveProperty('SIGNING_KEY', SECRET)
})

test('a project with bearer tokens for phones; the defaults of Django are left out', () => {
  const { settings } = convert(projects.jwtMobile)
  expect(settings).toMatchObject({
    REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false, SESSION_LOGIN: false, TOKEN_MODEL: null },
    SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '5m', REFRESH_TOKEN_LIFETIME: '30d' },
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['jwt'], NUM_PROXIES: 2 },
    // By default allauth does not require an address.
    ACCOUNT: {
      LOGIN_METHODS: ['email', 'username'],
      SIGNUP_FIELDS: ['username*', 'email', 'password1*', 'password2*'],
    },
    PASSWORD_HASHERS: ['django.contrib.auth.hashers.BCryptSHA256PasswordHasher'],
    SOCIALACCOUNT: { EMAIL_AUTHENTICATION: true },
  })
  // Without the app it had no effect in Django. Here it would log clients out.
  expect(settings.SIMPLE_JWT).not.toHaveProperty('BLACKLIST_AFTER_ROTATION')
  for (const name of [
    'PASSWORD_RESET_TIMEOUT',
    'SESSION_COOKIE_SECURE',
    'SESSION_COOKIE_AGE',
    'CSRF_COOKIE_SECURE',
    'EMAIL_URL',
    'EMAIL_FROM',
    'SECRET_KEY_FALLBACKS',
  ]) {
    expect(settings).not.toHaveProperty(name)
  }
})

test('a project of dj-rest-auth 2: old names mean the new ones', () => {
  const { settings } = convert(projects.oldProject)
  expect(settings).toMatchObject({
    REST_AUTH: {
      USE_JWT: true,
      SESSION_LOGIN: false,
      JWT_AUTH_COOKIE: 'jwt',
      JWT_AUTH_REFRESH_COOKIE: 'refresh',
      OLD_PASSWORD_FIELD_ENABLED: true,
      LOGOUT_ON_PASSWORD_CHANGE: true,
    },
    ACCOUNT: {
      LOGIN_METHODS: ['username', 'email'],
      SIGNUP_FIELDS: ['username', 'email*', 'password1*', 'password2*'],
      EMAIL_VERIFICATION: 'none',
      RATE_LIMITS: { login_failed: '5/600s/key' },
    },
    SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '1h' },
    CORS_ALLOWED_ORIGINS: ['https://app.example.com'],
    PASSWORD_RESET_TIMEOUT: '1d',
    DJANGO_PASSWORD_RESET_TIMEOUT: '1d',
  })
  expect(settings).not.toHaveProperty('SECRET_KEY')
})

test('a project of allauth 65 with MFA and a headless front end', () => {
  const { settings } = convert(projects.allauthMfa)
  expect(settings).toMatchObject({
    ACCOUNT: {
      SIGNUP_FIELDS: ['username*', 'email*', 'password1*', 'password2*'],
      EMAIL_CONFIRMATION_EXPIRE_DAYS: 7,
      RATE_LIMITS: {
        login_failed: '5/5m/key,50/10m/ip',
        reset_mail: '5/h/key',
        verify_mail: 'none',
      },
      PASSKEY_SIGNUP: false,
    },
    REST_AUTH: { MFA_TOTP_ISSUER: 'Example', MFA_TOTP_DIGITS: 8, MFA_RECOVERY_CODE_COUNT: 12 },
    EMAIL_CONFIRM_URL: 'https://app.example.com/verify/{key}',
    PASSWORD_RESET_URL: 'https://app.example.com/reset/{uid}-{token}',
    SESSION_COOKIE_NAME: 'example_session',
    SESSION_COOKIE_AGE: '7d',
  })
})

test.each(Object.entries(projects).filter(([, dump]) => typeof dump === 'object'))(
  'the service accepts the settings of %s, and counts them',
  (_, dump) => {
    const { settings, count } = convert(dump as object)
    const values = Object.entries(settings).flatMap(([name, value]) =>
      /^(REST_AUTH|SIMPLE_JWT|ACCOUNT|REST_FRAMEWORK|SOCIALACCOUNT)$/.test(name)
        ? Object.keys(value as object)
        : [name],
    )
    expect(values).toHaveLength(count)
  },
)

test('classes that no login gives a credential for are left out', () => {
  const classes = ['rest_framework_simplejwt.authentication.JWTAuthentication', TOKEN, SESSION]
  const dump = { REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: classes } }
  expect(convert({ ...dump, REST_AUTH: { SESSION_LOGIN: false } }).settings).toEqual({
    REST_AUTH: { SESSION_LOGIN: false },
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['token'] },
  })
})

test('a project whose links confirm at once keeps that', () => {
  const { settings } = convert({ ACCOUNT_CONFIRM_EMAIL_ON_GET: true })
  expect(settings.ACCOUNT).toMatchObject({ CONFIRM_EMAIL_ON_GET: true })
})

test('names of errors and headers, words before tokens and longer hashes go over', () => {
  const dump = {
    SECRET_KEY: SECRET,
    REST_FRAMEWORK: { NON_FIELD_ERRORS_KEY: '__all__' },
    SIMPLE_JWT: { ALGORITHM: 'HS512', AUTH_HEADER_TYPES: ['JWT', 'Bearer'] },
    CORS_ALLOW_HEADERS: ['accept', 'content-type', 'x-csrftoken', 'x-client-version'],
  }
  expect(convert(dump).settings).toEqual({
    ...dump,
    DJANGO_SECRET_KEY: SECRET,
    CORS_ALLOW_HEADERS: ['x-client-version'],
  })
})

test('a key of Django signs with HS512, though the standard asks for a longer one', () => {
  const dump = { SECRET_KEY: SECRET, SIMPLE_JWT: { ALGORITHM: 'HS512', SIGNING_KEY: 'short' } }
  const { settings, notes } = convert(dump)
  expect(settings.SIMPLE_JWT).toEqual({ ALGORITHM: 'HS512' })
  expect(notes.map(({ about }) => about)).toContain('SIMPLE_JWT.SIGNING_KEY')
})

test('a project of dj-rest-auth 2 gets the names that its answers had', () => {
  expect(convert({ REST_USE_JWT: true }).settings).toEqual({
    REST_AUTH: {
      USE_JWT: true,
      VERSION: '2',
      ANSWER_NAMES: {
        access: ['access_token', 'access'],
        refresh: ['refresh_token', 'refresh'],
      },
    },
  })
  expect(convert({ REST_AUTH: { USE_JWT: true } }).settings).toEqual({
    REST_AUTH: { USE_JWT: true },
  })
})

test.each<[written: unknown, ours: string[]]>([
  [
    ['username', 'email'],
    ['username*', 'email'],
  ],
  [
    ['email', 'phone_number', 'first_name'],
    ['email*', 'first_name'],
  ],
  [
    { username: { required: true }, email: { required: false }, last_name: {} },
    ['username*', 'email', 'last_name'],
  ],
])('the sign-up fields %j become %j', (written, ours) => {
  const { settings } = convert({ ACCOUNT_SIGNUP_FIELDS: written })
  expect(settings.ACCOUNT).toEqual({ SIGNUP_FIELDS: [...ours, 'password1*', 'password2*'] })
})

test('what diffsettings prints is understood, as text for each name', () => {
  const dump = {
    SECRET_KEY: `'${SECRET}'`,
    REST_AUTH: "{'USE_JWT': True, 'JWT_AUTH_COOKIE': 'jwt', 'TOKEN_MODEL': None}",
    SIMPLE_JWT: "{'ACCESS_TOKEN_LIFETIME': datetime.timedelta(seconds=900)}",
    ACCOUNT_LOGIN_METHODS: "{'email'}",
  }
  expect(convert(dump).settings).toMatchObject({
    SECRET_KEY: SECRET,
    REST_AUTH: { USE_JWT: true, JWT_AUTH_COOKIE: 'jwt', TOKEN_MODEL: null },
    SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '15m' },
    ACCOUNT: { LOGIN_METHODS: ['email'] },
  })
})

test('an origin may have a slash behind it', () => {
  const dump = { CORS_ALLOWED_ORIGINS: ['http://localhost:3000/', 'http://127.0.0.1:3000'] }
  expect(convert(dump).settings).toEqual({
    CORS_ALLOWED_ORIGINS: ['http://localhost:3000', 'http://127.0.0.1:3000'],
  })
})

test('nothing at all becomes nothing at all', () => {
  expect(convert({})).toMatchObject({ settings: {}, count: 0 })
})

test('of an old name and its successor the successor counts', () => {
  const dump = { REST_AUTH: { USE_JWT: false }, REST_USE_JWT: true }
  expect(convert(dump).settings).toEqual({ REST_AUTH: { USE_JWT: false } })
})

test('names of objects are names like any other', () => {
  const dump = JSON.parse(
    '{"__proto__": {"PORT": 1}, "constructor": 1, "REST_AUTH": {"__proto__": {}, "toString": 1}, "ACCOUNT_LOGIN_METHODS": ["constructor"], "ACCOUNT_RATE_LIMITS": {"__proto__": "1/m/ip"}, "SOCIALACCOUNT_PROVIDERS": {"__proto__": {"APP": {}}}}',
  )
  const { settings } = convert(dump)
  expect(settings).toEqual({
    ACCOUNT: { SIGNUP_FIELDS: ['username*', 'email', 'password1*', 'password2*'] },
  })
})

test('what the project has signed stays valid when Latchkey gets a key of its own', () => {
  const OTHER = 'another-key-of-at-least-thirty-two-characters'
  const dump = { SECRET_KEY: SECRET, SECRET_KEY_FALLBACKS: [OTHER], TIME_ZONE: 'Europe/Berlin' }
  const project = {
    DJANGO_SECRET_KEY: SECRET,
    DJANGO_SECRET_KEY_FALLBACKS: [OTHER],
    DJANGO_TIME_ZONE: 'Europe/Berlin',
  }
  const { settings, notes } = convert(dump)
  expect(settings).toMatchObject(project)
  expect(settings).not.toHaveProperty('SIMPLE_JWT')
  expect(notes).toContainEqual({
    about: 'SECRET_KEY',
    note: expect.stringContaining('its own key'),
  })

  const signing = (SIMPLE_JWT: object) =>
    convert({ ...dump, REST_AUTH: { USE_JWT: true }, SIMPLE_JWT }).settings.SIMPLE_JWT
  expect(signing({})).toEqual({ SIGNING_KEY: SECRET })
  expect(signing({ SIGNING_KEY: OTHER })).toEqual({ SIGNING_KEY: OTHER })
})

test('a time zone that nobody knows is left out', () => {
  expect(convert({ TIME_ZONE: 'Middle/Earth' }).settings).not.toHaveProperty('DJANGO_TIME_ZONE')
})
