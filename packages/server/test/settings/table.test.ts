import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/kernel/clock.ts'
import { read } from '../../src/kernel/setting-kinds/kind.ts'
import { editableFields } from '../../src/settings/kinds/user-details.ts'
import { entries, valueAt } from '../../src/settings/names.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'

const MAILS = [
  { count: 3, windowMs: 15 * MINUTE, per: 'key' },
  { count: 20, windowMs: MINUTE, per: 'ip' },
]

test('without any setting everything has its default', () => {
  expect(resolveSettings({})).toEqual({
    HOST: '127.0.0.1',
    PORT: 8000,
    WORKERS: 1,
    SHUTDOWN_DELAY: 0,
    PUBLIC_URL: 'http://localhost:8000',
    AUTH_PREFIX: '/auth/',
    PAGES_PREFIX: '/account/',
    SITE_NAME: 'localhost',
    SITE_COLOR: '#3b5bdb',
    ROUTES: {},
    MODULES: ['registration', 'social', 'mfa', 'passkeys', 'pages'],
    API_DOCS: true,
    ADMIN_IMPERSONATION: false,
    ADMIN_LISTEN: '127.0.0.1:8001',
    ADMIN_PUBLIC_URL: 'http://localhost:8001',
    MFA_REQUIRED: null,
    MFA_GRACE_DAYS: 0,
    TOKEN_LIFETIME: null,
    API_KEYS: false,
    API_KEY_SCOPES: [],
    AUDIT_KEEP_DAYS: 365,
    USER_PK: 'integer',
    INTROSPECTION_KEY: null,
    DJANGO_DATABASE_URL: null,
    DJANGO_SECRET_KEY: null,
    DJANGO_SECRET_KEY_FALLBACKS: [],
    DJANGO_PASSWORD_RESET_TIMEOUT: 3 * DAY,
    DJANGO_TIME_ZONE: 'UTC',
    USER_FIELDS: {},
    LOG_LEVEL: 'info',
    DATABASE_URL: 'sqlite:latchkey-data/latchkey.db',
    DATABASE_POOLER: 'auto',
    DATABASE_READ_TIMEOUT: 2000,
    DATABASE_WRITE_TIMEOUT: 5000,
    MFA_ALLOW_UNVERIFIED_EMAIL: false,
    EMAIL_URL: 'console:',
    EMAIL_FROM: 'noreply@localhost',
    EMAIL_TEMPLATES_DIR: null,
    LANGUAGE_CODE: 'en',
    LANGUAGES: ['en'],
    WORDS_DIR: null,
    ERROR_CODES: false,
    WEBHOOKS: [],
    PASSWORD_RESET_URL: 'http://localhost:8000/account/password/reset/{uid}/{token}',
    EMAIL_CONFIRM_URL: 'http://localhost:8000/account/confirm/{key}',
    EMAIL_CHANGE_URL: 'http://localhost:8000/account/email/confirm/{key}',
    INVITATION_URL: 'http://localhost:8000/account/invitation/{key}',
    INVITATION_EXPIRE_DAYS: 7,
    INVITATIONS_BY_USERS: false,
    SECRET_KEY: null,
    SECRET_KEY_FALLBACKS: [],
    PASSWORD_HASHERS: [
      'argon2',
      'pbkdf2_sha256',
      'pbkdf2_sha1',
      'bcrypt_sha256',
      'bcrypt',
      'scrypt',
    ],
    PASSWORD_RESET_TIMEOUT: HOUR,
    CSRF_TRUSTED_ORIGINS: [],
    CORS_ALLOWED_ORIGINS: [],
    CORS_ALLOW_HEADERS: [],
    SESSION_COOKIE_NAME: 'sessionid',
    SESSION_COOKIE_AGE: 14 * DAY,
    SESSION_COOKIE_SAMESITE: 'Lax',
    SESSION_COOKIE_SECURE: false,
    SESSION_COOKIE_DOMAIN: null,
    CSRF_COOKIE_NAME: 'csrftoken',
    CSRF_COOKIE_AGE: 365 * DAY,
    CSRF_COOKIE_SAMESITE: 'Lax',
    CSRF_COOKIE_SECURE: false,
    CSRF_COOKIE_DOMAIN: null,
    REST_AUTH: {
      USE_JWT: false,
      SESSION_LOGIN: true,
      TOKEN_MODEL: 'token',
      TOKEN_CREATOR: 'one',
      JWT_AUTH_COOKIE: null,
      JWT_AUTH_REFRESH_COOKIE: null,
      VERSION: '7',
      JWT_AUTH_COOKIE_AT_REGISTRATION: true,
      JWT_AUTH_REFRESH_COOKIE_PATH: '/',
      JWT_AUTH_COOKIE_DOMAIN: null,
      JWT_AUTH_HTTPONLY: true,
      JWT_AUTH_SECURE: false,
      JWT_AUTH_SAMESITE: 'Lax',
      JWT_AUTH_COOKIE_USE_CSRF: false,
      JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: false,
      JWT_AUTH_RETURN_EXPIRATION: false,
      OLD_PASSWORD_FIELD_ENABLED: false,
      LOGOUT_ON_PASSWORD_CHANGE: false,
      USER_DETAILS_SERIALIZER: {},
      ANSWER_NAMES: {},
      MFA_EPHEMERAL_TOKEN_TIMEOUT: 5 * MINUTE,
      MFA_TOTP_DIGITS: 6,
      MFA_TOTP_PERIOD: 30,
      MFA_TOTP_ISSUER: 'localhost',
      MFA_RECOVERY_CODE_COUNT: 10,
      PASSKEY_RP_ID: 'localhost',
      PASSKEY_RP_NAME: 'localhost',
      PASSKEY_RP_ORIGINS: ['http://localhost:8000'],
      PASSKEY_CHALLENGE_TIMEOUT: 5 * MINUTE,
      PASSKEY_USER_VERIFICATION: 'preferred',
    },
    SIMPLE_JWT: {
      ACCESS_TOKEN_LIFETIME: 5 * MINUTE,
      REFRESH_TOKEN_LIFETIME: DAY,
      ROTATE_REFRESH_TOKENS: false,
      BLACKLIST_AFTER_ROTATION: false,
      TOKEN_BLACKLIST_ENABLED: true,
      REFRESH_REUSE_GRACE: 0,
      ALGORITHM: 'HS256',
      AUTH_HEADER_TYPES: ['Bearer'],
      SIGNING_KEY: null,
      VERIFYING_KEY: null,
      ISSUER: null,
      AUDIENCE: null,
      USER_ID_CLAIM: 'user_id',
      CLAIMS: {},
      LEEWAY: 0,
    },
    ACCOUNT: {
      LOGOUT_ON_GET: false,
      EMAIL_VERIFICATION: 'optional',
      CONFIRM_EMAIL_ON_GET: false,
      LOGIN_METHODS: ['username', 'email'],
      LOGIN_BY_CODE_ENABLED: false,
      LOGIN_BY_CODE_TIMEOUT: 5 * MINUTE,
      SIGNUP: 'open',
      PASSKEY_SIGNUP: true,
      ALLOWED_EMAIL_DOMAINS: [],
      BLOCKED_EMAIL_DOMAINS: [],
      SIGNUP_FIELDS: ['username*', 'email*', 'password1*', 'password2*'],
      USERNAME_SKELETONS: false,
      EMAIL_CONFIRMATION_EXPIRE_DAYS: 3,
      REAUTHENTICATION_REQUIRED: false,
      REAUTHENTICATION_TIMEOUT: 5 * MINUTE,
      NEW_DEVICE_MAIL: false,
      DELETION: false,
      RATE_LIMITS: {
        login_failed: [
          { count: 10, windowMs: 5 * MINUTE, per: 'key' },
          { count: 100, windowMs: 10 * MINUTE, per: 'ip' },
        ],
        mfa_failed: [{ count: 10, windowMs: 15 * MINUTE, per: 'user' }],
        reset_mail: MAILS,
        verify_mail: MAILS,
        code_mail: MAILS,
        signup: [{ count: 20, windowMs: MINUTE, per: 'ip' }],
        passkey_begin: [{ count: 60, windowMs: MINUTE, per: 'ip' }],
        social: [{ count: 60, windowMs: MINUTE, per: 'ip' }],
        change_name: [{ count: 10, windowMs: HOUR, per: 'user' }],
        notice_mail: [{ count: 10, windowMs: HOUR, per: 'key' }],
        invitation_mail: [
          { count: 3, windowMs: HOUR, per: 'key' },
          { count: 20, windowMs: HOUR, per: 'user' },
        ],
      },
    },
    REST_FRAMEWORK: {
      DEFAULT_THROTTLE_RATES: { auth_service: null },
      NUM_PROXIES: 0,
      DEFAULT_AUTHENTICATION_CLASSES: null,
      NON_FIELD_ERRORS_KEY: 'non_field_errors',
      ERRORS_UNDER: null,
    },
    SOCIALACCOUNT: { PROVIDERS: {}, EMAIL_AUTHENTICATION: false, SIGNUP: true },
    CAPTCHA: {
      PROVIDER: null,
      SITE_KEY: null,
      SECRET: null,
      ON: ['registration', 'reset', 'login_after_failures', 'code'],
      WHEN_DOWN: 'refuse',
      VERIFY_URL: null,
    },
  })
})

test('every default would be accepted if somebody wrote it down', () => {
  const defaults = resolveSettings({})
  for (const { name, setting } of entries) {
    const value = valueAt(defaults, name)
    expect(read(setting.kind, setting.kind.show(value)), name).toEqual(value)
  }
})

test('no two settings share a name in the environment', () => {
  const variables = entries.map(({ env }) => env)
  expect(new Set(variables).size).toBe(variables.length)
})

test('the port leads to the public URL, and that to everything a browser sees', () => {
  expect(resolveSettings({ PORT: 9000 }).PUBLIC_URL).toBe('http://localhost:9000')
  expect(resolveSettings({ PORT: 80 }).PUBLIC_URL).toBe('http://localhost')

  const { REST_AUTH, ...top } = resolveSettings({
    PUBLIC_URL: 'https://auth.example.com/',
    AUTH_PREFIX: '/api/auth',
  })
  expect(top).toMatchObject({
    PUBLIC_URL: 'https://auth.example.com',
    AUTH_PREFIX: '/api/auth/',
    EMAIL_FROM: 'noreply@auth.example.com',
    SITE_NAME: 'auth.example.com',
    EMAIL_CONFIRM_URL: 'https://auth.example.com/account/confirm/{key}',
    SESSION_COOKIE_SECURE: true,
    CSRF_COOKIE_SECURE: true,
  })
  expect(REST_AUTH).toMatchObject({
    JWT_AUTH_SECURE: true,
    MFA_TOTP_ISSUER: 'auth.example.com',
    PASSKEY_RP_ID: 'auth.example.com',
    PASSKEY_RP_ORIGINS: ['https://auth.example.com'],
  })
})

test('without the pages, and where ROUTES names it, a link leads to the plain page', () => {
  const { EMAIL_CONFIRM_URL } = resolveSettings({ MODULES: ['registration'] })
  expect(EMAIL_CONFIRM_URL).toMatch(/\/auth\/registration\/account-confirm-email\/\{key\}\/$/)
  const moved = resolveSettings({ ROUTES: { 'registration/': 'register/' }, PAGES_PREFIX: '/me' })
  expect(moved.EMAIL_CONFIRM_URL).toMatch(/\/auth\/register\/account-confirm-email\/\{key\}\/$/)
  expect(moved.PASSWORD_RESET_URL).toMatch(/8000\/me\/password\/reset\/\{uid\}\/\{token\}$/)
})

test('JWT switches the session off, unless it is asked for', () => {
  expect(resolveSettings({ REST_AUTH: { USE_JWT: true } }).REST_AUTH.SESSION_LOGIN).toBe(false)
  const both = resolveSettings({ REST_AUTH: { USE_JWT: true, SESSION_LOGIN: true } })
  expect(both.REST_AUTH.SESSION_LOGIN).toBe(true)
})

test('the password hashers of a Django project are taken over as they are', () => {
  const { PASSWORD_HASHERS } = resolveSettings({
    PASSWORD_HASHERS: [
      'django.contrib.auth.hashers.PBKDF2PasswordHasher',
      'django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher',
      'django.contrib.auth.hashers.Argon2PasswordHasher',
      'django.contrib.auth.hashers.BCryptSHA256PasswordHasher',
      'django.contrib.auth.hashers.BCryptPasswordHasher',
      'django.contrib.auth.hashers.ScryptPasswordHasher',
    ],
  })
  expect(PASSWORD_HASHERS).toEqual([
    'pbkdf2_sha256',
    'pbkdf2_sha1',
    'argon2',
    'bcrypt_sha256',
    'bcrypt',
    'scrypt',
  ])
})

test('rate limits that are given leave the others as they are', () => {
  const { RATE_LIMITS } = resolveSettings({
    ACCOUNT: { RATE_LIMITS: { login_failed: '5/m/key, 50/hour/ip', reset_mail: null } },
  }).ACCOUNT
  expect(RATE_LIMITS).toEqual({
    ...resolveSettings({}).ACCOUNT.RATE_LIMITS,
    login_failed: [
      { count: 5, windowMs: MINUTE, per: 'key' },
      { count: 50, windowMs: HOUR, per: 'ip' },
    ],
    reset_mail: [],
  })
})

test('a throttle rate is read as count and window', () => {
  const { DEFAULT_THROTTLE_RATES } = resolveSettings({
    REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '5/minute' } },
  }).REST_FRAMEWORK
  expect(DEFAULT_THROTTLE_RATES).toEqual({ auth_service: { count: 5, windowMs: MINUTE } })
})

test('a field that is not shown is not editable, unless that is asked for', () => {
  const fields = ['pk', 'email', 'first_name']
  const editable = (given: object) => {
    const { REST_AUTH } = resolveSettings({ REST_AUTH: { USER_DETAILS_SERIALIZER: given } })
    const details = REST_AUTH.USER_DETAILS_SERIALIZER
    return editableFields({ details, userFields: {} }).map(({ name }) => name)
  }

  expect(editable({})).toEqual(['username', 'first_name', 'last_name'])
  expect(editable({ fields })).toEqual(['first_name'])
  expect(editable({ fields, editable: ['username'] })).toEqual(['username'])
  expect(editable({ editable: [] })).toEqual([])
})

test('an Android app can be an origin of passkeys', () => {
  const PASSKEY_RP_ORIGINS = ['https://example.com', 'android:apk-key-hash:abc_-9']
  const { REST_AUTH } = resolveSettings({ REST_AUTH: { PASSKEY_RP_ORIGINS } })
  expect(REST_AUTH.PASSKEY_RP_ORIGINS).toEqual(PASSKEY_RP_ORIGINS)
})
