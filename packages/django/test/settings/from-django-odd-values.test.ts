import { expect, test } from 'vitest'
import { readPython } from '../../src/settings/python-literal.ts'
import { convert } from './support/convert.ts'

const KEY = 'k'.repeat(50)

/** The recipe writes it into every dump. */
const latchkey = { versions: {}, urls: [], user: null, social_signup: null }

const SERVER = { EMAIL_HOST: 'mail.example.com', EMAIL_PORT: 587 }

test.each(['1', 'true', 'TRUE', 'yes', 'on', 'True', '"True"', 1, true])(
  'mails are encrypted if the flag is %j',
  (flag) => {
    const url = (name: string) => convert({ ...SERVER, [name]: flag, latchkey }).settings.EMAIL_URL
    expect(url('EMAIL_USE_TLS')).toBe('smtp://mail.example.com:587?requireTLS=true')
    expect(url('EMAIL_USE_SSL')).toBe('smtps://mail.example.com:587')
  },
)

test.each(['1', 'true', 1, true])('the key of the tokens is kept if USE_JWT is %j', (flag) => {
  const classes = ['rest_framework_simplejwt.authentication.JWTAuthentication']
  const views = ['rest_framework_simplejwt.views.TokenRefreshView']
  const urls = [
    { path: 'auth/login/', name: 'rest_login', views: [] },
    { path: 'api/token/refresh/', name: '', views },
  ]
  const { settings } = convert({
    SECRET_KEY: KEY,
    REST_AUTH: { USE_JWT: flag },
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: classes },
    latchkey: { ...latchkey, urls },
  })
  expect(settings).toMatchObject({
    SIMPLE_JWT: { SIGNING_KEY: KEY },
    REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['jwt'] },
    ROUTES: { 'token/refresh/': '/api/token/refresh/' },
  })
})

test('quotes that belong to a value are kept', () => {
  const quoted = `"${KEY}"`
  const { settings } = convert({ SECRET_KEY: quoted, latchkey })
  expect(settings).toMatchObject({ SECRET_KEY: quoted, DJANGO_SECRET_KEY: quoted })
  expect(convert({ SECRET_KEY: quoted }).settings.SECRET_KEY).toBe(KEY)
})

test('keys may be bytes', () => {
  const signing = (SIGNING_KEY: string) =>
    convert({
      SECRET_KEY: KEY,
      REST_AUTH: { USE_JWT: true },
      SIMPLE_JWT: { SIGNING_KEY },
      latchkey,
    })
  expect(signing(`b'${KEY}\\n\\xc3\\xa9'`).settings.SIMPLE_JWT).toEqual({
    SIGNING_KEY: `${KEY}\né`,
  })
  // Not even a byte order mark is lost.
  expect(signing(`b'\\xef\\xbb\\xbf${KEY}'`).settings.SIMPLE_JWT).toEqual({
    SIGNING_KEY: `\ufeff${KEY}`,
  })
  const binary = signing(`b'${KEY}\\xff'`)
  expect(binary.settings.SIMPLE_JWT).toBeUndefined()
  expect(binary.notes).toContainEqual({
    about: 'SIMPLE_JWT.SIGNING_KEY',
    note: 'is left out; SIMPLE_JWT.SIGNING_KEY must be text, not bytes',
  })
})

test.each([
  'REST_AUTH',
  'SIMPLE_JWT',
  'REST_FRAMEWORK',
  'JWT_AUTH',
  'REST_AUTH_SERIALIZERS',
  'SOCIALACCOUNT_PROVIDERS',
])('%s does not vanish if it cannot be read', (name) => {
  const notes = (value: unknown) => convert({ [name]: value }).notes.map(({ about }) => about)
  expect(notes("{'A': <function <lambda> at 0x7f>}")).toContain(name)
  expect(notes("OrderedDict([('A', True)])")).toContain(name)
  expect(notes(null)).not.toContain(name)
  expect(notes({})).not.toContain(name)
})

test('defaults of older versions of Django are not carried over', () => {
  const hashers = ['PBKDF2', 'PBKDF2SHA1', 'Argon2', 'BCryptSHA256'].map(
    (one) => `django.contrib.auth.hashers.${one}PasswordHasher`,
  )
  const { settings } = convert({
    PASSWORD_HASHERS: hashers,
    PASSWORD_RESET_TIMEOUT: 259_200,
    PASSWORD_RESET_TIMEOUT_DAYS: 3,
  })
  expect(settings).toEqual({})
})

test('escapes by number are read', () => {
  expect(readPython(String.raw`'\x7f\u200b\U0001f511\\x41'`)).toBe('\x7f\u200b\u{1f511}\\x41')
})

const REST = 'rest_framework.permissions.'

test.each([
  [[[`${REST}IsAdminUser`]], { SIGNUP: 'invited' }, undefined],
  [[[`${REST}AllowAny`, `${REST}IsAuthenticated`]], { SIGNUP: 'invited' }, true],
  [[[`${REST}IsAdminUser`], [`${REST}AllowAny`]], undefined, undefined],
  [[[]], undefined, undefined],
])('a view of the project with the permissions %j', (all, ACCOUNT, byUsers) => {
  const views = ['accounts.views.Register', 'dj_rest_auth.registration.views.RegisterView']
  const urls = all.map((permissions, i) => ({ path: `auth${i}/registration/`, views, permissions }))
  const { settings } = convert({ latchkey: { ...latchkey, urls } })
  expect(settings).toMatchObject({ MODULES: expect.arrayContaining(['registration']) })
  expect(settings.ACCOUNT).toEqual(ACCOUNT)
  expect(settings.INVITATIONS_BY_USERS).toBe(byUsers)
})

test.each([
  ['accounts.views.Register', 'dj_rest_auth.registration.views.RegisterView'],
  ['accounts.views.Register', 'rest_framework.views.APIView'],
])('a view before that of dj-rest-auth replaces it: %s, %s', (...views) => {
  const path = 'auth/registration/'
  const urls = [
    { path, views, permissions: [`${REST}IsAdminUser`] },
    { path: `^${path}$`, name: 'rest_register', views: [], permissions: [`${REST}AllowAny`] },
  ]
  const signup = (given: object[]) =>
    convert({ latchkey: { ...latchkey, urls: given } }).settings.ACCOUNT
  expect(signup(urls)).toEqual({ SIGNUP: 'invited' })
  expect(signup(urls.toReversed())).toBeUndefined()
})
