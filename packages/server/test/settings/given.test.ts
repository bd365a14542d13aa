import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../src/kernel/clock.ts'
import { editableFields } from '../../src/settings/kinds/user-details.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'

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
