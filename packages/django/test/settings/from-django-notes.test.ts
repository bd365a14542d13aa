import { expect, test } from 'vitest'
import { fromDjango } from '../../src/settings/from-django.ts'
import { ALWAYS_NOTED, convert, notedIn } from './support/convert.ts'
import * as projects from './support/django-projects.ts'

const notesOn = (dump: object) => convert(dump).notes

/** These dumps have no URL patterns. */
const ALWAYS = [...ALWAYS_NOTED, 'AUTH_PREFIX']
const own = (dump: object) => notedIn(dump).filter((name) => !ALWAYS.includes(name))

test('what no settings of Django say is asked for', () => {
  expect(notedIn({}).toSorted()).toEqual(ALWAYS.toSorted())
  const [address] = notesOn(projects.plainToken).filter((one) => one.about === 'PUBLIC_URL')
  expect(address?.note).toContain('https://api.example.com')
})

test('without URL patterns a note says what may be open here and was not there', () => {
  const [open] = notesOn({}).filter(({ about }) => about === 'AUTH_PREFIX')
  expect(open?.note).toContain('password/reset/ is open')
  expect(open?.note).toContain('social logins unless you remove social from MODULES')
})

test('code of the project has a line each, with what takes its place', () => {
  const lines = notesOn(projects.jwtCookie)
  expect(lines).toContainEqual({
    about: 'REST_AUTH.REGISTER_SERIALIZER',
    note: expect.stringContaining('ACCOUNT.SIGNUP_FIELDS'),
  })
  expect(lines).toContainEqual({
    about: 'REST_AUTH.USER_DETAILS_SERIALIZER',
    note: expect.stringContaining('REST_AUTH.USER_DETAILS_SERIALIZER'),
  })
  expect(lines).toContainEqual({
    about: 'ACCOUNT_ADAPTER',
    note: expect.stringContaining('EMAIL_CONFIRM_URL'),
  })
  expect(lines.map((one) => one.about)).not.toContain('REST_AUTH.PASSWORD_RESET_SERIALIZER')
})

test('notes on old names use the new names', () => {
  expect(own(projects.oldProject)).toEqual(
    expect.arrayContaining([
      'SECRET_KEY',
      'REST_AUTH.USER_DETAILS_SERIALIZER',
      'REST_AUTH.REGISTER_SERIALIZER',
      'REST_AUTH.VERSION',
      'REST_AUTH.REGISTER_PERMISSION_CLASSES',
      'CORS_ALLOWED_ORIGINS',
      'CORS_ALLOW_ALL_ORIGINS',
      'JWT_AUTH',
    ]),
  )
})

test('what phones and services would notice', () => {
  expect(own(projects.jwtMobile)).toEqual(
    expect.arrayContaining([
      'AUTH_USER_MODEL',
      'SIMPLE_JWT.USER_ID_FIELD',
      'SIMPLE_JWT.BLACKLIST_AFTER_ROTATION',
      'REST_FRAMEWORK.EXCEPTION_HANDLER',
      'SOCIALACCOUNT_PROVIDERS.github',
      'PASSWORD_HASHERS',
    ]),
  )
})

test('what allauth does and nothing here', () => {
  const lines = own(projects.allauthMfa)
  expect(lines).toEqual(
    expect.arrayContaining([
      'ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED',
      'ACCOUNT_SIGNUP_FIELDS',
      'ACCOUNT_RATE_LIMITS.signup',
      'ACCOUNT_RATE_LIMITS.change_password',
      'MFA_TRUST_ENABLED',
      'AUTH_PASSWORD_VALIDATORS',
    ]),
  )
  expect(lines).not.toContain('MFA_SUPPORTED_TYPES')
  // It begins like a name of allauth, and may be the project's own.
  expect(lines).not.toContain('ACCOUNT_A_NAME_OF_TOMORROW')
  expect(notedIn(projects.allauthMfa)).not.toContain('PASSWORD_RESET_URL')
})

test.each([
  ['a bad value', { SIMPLE_JWT: { ALGORITHM: 'none' } }, 'SIMPLE_JWT.ALGORITHM'],
  [
    'no duration',
    { SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: 'soon' } },
    'SIMPLE_JWT.ACCESS_TOKEN_LIFETIME',
  ],
  ['limits that are off', { ACCOUNT_RATE_LIMITS: false }, 'ACCOUNT_RATE_LIMITS'],
  ['other mail backends', { EMAIL_BACKEND: 'anymail.backends.X' }, 'EMAIL_BACKEND'],
  ['a contradiction', { REST_AUTH: { JWT_AUTH_SAMESITE: 'None' } }, 'REST_AUTH.JWT_AUTH_SAMESITE'],
  ['a short key', { SIMPLE_JWT: { SIGNING_KEY: 'abc' } }, 'SIMPLE_JWT.SIGNING_KEY'],
  [
    'times in a format of their own',
    { REST_FRAMEWORK: { DATETIME_FORMAT: '%d %b %Y' } },
    'REST_FRAMEWORK.DATETIME_FORMAT',
  ],
  ['a key that is missing', { SIMPLE_JWT: { ALGORITHM: 'RS256' } }, 'SIMPLE_JWT.ALGORITHM'],
  [
    'no way to log in',
    { REST_AUTH: { TOKEN_MODEL: null, SESSION_LOGIN: false } },
    'REST_AUTH.TOKEN_MODEL',
  ],
  ['an unknown name', { REST_AUTH: { A_NAME_OF_TOMORROW: 1 } }, 'REST_AUTH.A_NAME_OF_TOMORROW'],
  [
    'names in camelCase',
    {
      REST_FRAMEWORK: {
        DEFAULT_RENDERER_CLASSES: ['djangorestframework_camel_case.render.CamelCaseJSONRenderer'],
      },
    },
    'REST_FRAMEWORK.DEFAULT_RENDERER_CLASSES',
  ],
])('%s is left out with a line', (_, dump, name) => {
  const { settings, notes } = convert(dump)
  expect(notes.map((one) => one.about)).toContain(name)
  expect(JSON.stringify(settings)).not.toContain(name.split('.').at(-1))
})

test('a provider that the start would refuse is left out, with the reason', () => {
  const check = (id: string) => (id === 'vk' ? ['no such provider'] : [])
  const { settings, notes } = fromDjango(projects.jwtMobile, check)
  const { PROVIDERS } = settings.SOCIALACCOUNT as { PROVIDERS: Record<string, object> }
  expect(Object.keys(PROVIDERS)).toEqual(['google'])
  expect(PROVIDERS.google).toHaveProperty('EMAIL_AUTHENTICATION', true)
  expect(notes).toContainEqual({
    about: 'SOCIALACCOUNT_PROVIDERS.vk',
    note: 'is left out: no such provider',
  })
})

test('X by OAuth 2 has another name here, and its keys replace those of OAuth 1', () => {
  const SOCIALACCOUNT_PROVIDERS = {
    twitter_oauth2: { APP: { client_id: 'of OAuth 2', secret: 's' } },
    twitter: { APP: { client_id: 'of OAuth 1', secret: 's' } },
  }
  const checked: string[] = []
  const { settings, notes } = fromDjango({ SOCIALACCOUNT_PROVIDERS }, (id) => {
    checked.push(id)
    return []
  })
  expect(settings.SOCIALACCOUNT).toMatchObject({
    PROVIDERS: { twitter: SOCIALACCOUNT_PROVIDERS.twitter_oauth2 },
  })
  expect(new Set(checked)).toEqual(new Set(['twitter']))
  expect(notes).toContainEqual({
    about: 'SOCIALACCOUNT_PROVIDERS.twitter_oauth2',
    note: 'is called twitter here; let your front end send to twitter/, or keep its path with ROUTES',
  })
})

test('no line repeats a secret', () => {
  const secrets = {
    SECRET_KEY: 'too-short-to-be-kept',
    SECRET_KEY_FALLBACKS: ['short-and-former'],
    EMAIL_BACKEND: 'django.core.mail.backends.smtp.EmailBackend',
    EMAIL_HOST: 'bad host',
    EMAIL_HOST_USER: 'ada',
    EMAIL_HOST_PASSWORD: 'of-the-mail-server',
    SIMPLE_JWT: { SIGNING_KEY: 'signs-in-short', VERIFYING_KEY: 'checks', ALGORITHM: 'HS999' },
    SOCIALACCOUNT_PROVIDERS: { google: { APP: { secret: 'of-google' } }, vk: { SECRET: 'of-vk' } },
    MFA_TOTP_INSECURE_BYPASS_CODE: '314159',
  }
  const text = JSON.stringify(notesOn(secrets))
  for (const secret of [
    'too-short-to-be-kept',
    'short-and-former',
    'of-the-mail-server',
    'signs-in-short',
    'of-google',
    'of-vk',
    '314159',
  ]) {
    expect(text).not.toContain(secret)
  }
})
