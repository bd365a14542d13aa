import { expect, test } from 'vitest'
import { pathOf } from '../../src/settings/facts.ts'
import { convert, WITHOUT_SIGNUP } from './support/convert.ts'
import { accountUrls, found, registrationUrls } from './support/recipe.ts'

const modulesOf = (dump: object) => convert(dump).settings.MODULES
const ON = ['dj_rest_auth', 'dj_rest_auth.registration']

test.each([
  ['api/auth/login/', '/api/auth/login/'],
  ['^api/^auth/login$', '/api/auth/login/'],
  ['auth/logout/?$', '/auth/logout/'],
  ['auth/<str:key>/<token>/', '/auth/{key}/{token}/'],
  [
    String.raw`^reset/(?P<uidb64>[0-9A-Za-z_\-]+)/(?P<token>[0-9A-Za-z]{1,13}-\w{1,20})/\Z`,
    '/reset/{uidb64}/{token}/',
  ],
  [String.raw`confirm/(?P<key>[-:\w()]+)/$`, '/confirm/{key}/'],
  [String.raw`v1\.0/login/`, '/v1.0/login/'],
  ['', '/'],
  ['(?:a|b)/login/', null],
  ['login/.*', null],
  ['a b/', null],
  ['(?P<path>.*)$', '/{path}/'],
])('the pattern %s is the path %s', (pattern, path) => {
  expect(pathOf(pattern)).toBe(path)
})

test.each([
  [
    'its URLs',
    { urls: [...accountUrls('auth/'), ...registrationUrls('auth/registration/')] },
    ['registration', ...WITHOUT_SIGNUP],
  ],
  [
    'a view of its own',
    { urls: [{ path: 'join/', view: 'dj_rest_auth.registration.views.RegisterView' }] },
    ['registration', ...WITHOUT_SIGNUP],
  ],
  ['none of them', { urls: accountUrls('auth/') }, WITHOUT_SIGNUP],
  ['another app', { urls: [{ path: 'accounts/signup/', name: 'account_signup' }] }, WITHOUT_SIGNUP],
])('registration with %s', (_, facts, modules) => {
  for (const INSTALLED_APPS of [ON, ['rest_auth']]) {
    expect(modulesOf({ INSTALLED_APPS, ...found(facts) })).toEqual(modules)
  }
})

test.each([
  ['IsAdminUser', undefined],
  ['IsAuthenticated', true],
])('registration that only some may use, %s, is by invitation', (name, byUsers) => {
  const urls = [...accountUrls('auth/'), ...registrationUrls('auth/registration/')]
  const REST_AUTH = { REGISTER_PERMISSION_CLASSES: [`rest_framework.permissions.${name}`] }
  const { settings, notes } = convert({ INSTALLED_APPS: ON, REST_AUTH, ...found({ urls }) })
  expect(settings).toMatchObject({
    MODULES: ['registration', ...WITHOUT_SIGNUP],
    ACCOUNT: { SIGNUP: 'invited' },
  })
  expect(settings.INVITATIONS_BY_USERS).toBe(byUsers)
  expect(notes.map(({ about }) => about)).toContain('REST_AUTH.REGISTER_PERMISSION_CLASSES')

  // A first social login needed no permission, so it must go on without an invitation.
  const google = {
    path: 'auth/google/',
    view: 'dj_rest_auth.registration.views.SocialLoginView',
    provider: 'google',
  }
  const both = found({ urls: [...urls, google], social_signup: true })
  const social = convert({ INSTALLED_APPS: ON, REST_AUTH, ...both })
  expect(social.settings).toMatchObject({
    MODULES: ['social', ...WITHOUT_SIGNUP],
    SOCIALACCOUNT: { SIGNUP: true },
  })
  expect(social.settings.ACCOUNT).not.toHaveProperty('SIGNUP')
})

test('what cannot be known is closed', () => {
  const urls = [...accountUrls('auth/'), ...registrationUrls('auth/registration/')]
  const unknown = ['social', ...WITHOUT_SIGNUP]
  for (const INSTALLED_APPS of [ON, ['rest_auth.registration'], []]) {
    const { settings, notes } = convert({ INSTALLED_APPS })
    expect(settings.MODULES).toEqual(unknown)
    expect(notes.map(({ about }) => about)).toContain('MODULES')
  }
  expect(modulesOf({ ACCOUNT_ALLOW_REGISTRATION: false })).toEqual(unknown)
  // dj-rest-auth does not read it, so registration was open.
  const open = convert({ ACCOUNT_ALLOW_REGISTRATION: false, ...found({ urls }) })
  expect(open.settings.MODULES).toEqual(['registration', ...WITHOUT_SIGNUP])
  expect(open.notes.map(({ about }) => about)).toContain('ACCOUNT_ALLOW_REGISTRATION')
  // Parts of the settings say nothing about URLs.
  expect(modulesOf({ REST_AUTH: { USE_JWT: true } })).toBeUndefined()
})

test('a first social login makes an account where it did so in Django, and nowhere else', () => {
  const login = 'dj_rest_auth.registration.views.SocialLoginView'
  const google = { path: 'auth/google/', view: login, provider: 'google' }
  const all = [...accountUrls('auth/'), ...registrationUrls('auth/registration/'), google]
  const signup = (urls: typeof all, social_signup?: boolean, more = {}) => {
    const { SOCIALACCOUNT = {} } = convert({
      ...more,
      ...found({ urls, ...(social_signup !== undefined && { social_signup }) }),
    }).settings as { SOCIALACCOUNT?: { SIGNUP?: boolean } }
    return SOCIALACCOUNT.SIGNUP
  }
  const closed = [...accountUrls('auth/'), google]
  expect(signup(all, true)).toBeUndefined()
  expect(signup(all, false)).toBe(false)
  expect(signup(closed, true)).toBe(true)
  expect(signup(closed, false)).toBeUndefined()
  expect(signup(all, undefined, { ACCOUNT_ALLOW_REGISTRATION: false })).toBe(false)
})

test('endpoints elsewhere become routes, with what is below them, and links follow', () => {
  const { settings, notes } = convert({
    REST_AUTH: { USE_JWT: true },
    ...found({
      urls: [
        { path: 'api/token/', view: 'rest_framework_simplejwt.views.TokenObtainPairView' },
        { path: 'api/token/refresh/', view: 'rest_framework_simplejwt.views.TokenRefreshView' },
        ...accountUrls('accounts/'),
        ...registrationUrls('join/'),
        { path: 'accounts/me/', view: 'dj_rest_auth.views.UserDetailsView' },
        { path: 'accounts/profile/', view: 'dj_rest_auth.views.UserDetailsView' },
        { path: 'confirm/<key>/', name: 'account_confirm_email' },
        { path: 'tenants/<slug>/login/', view: 'dj_rest_auth.views.LoginView' },
        {
          path: 'x/facebook/',
          view: 'dj_rest_auth.registration.views.SocialLoginView',
          provider: 'facebook',
        },
      ],
    }),
  })
  expect(settings).toMatchObject({
    AUTH_PREFIX: '/accounts/',
    ROUTES: {
      'login/': '/api/token/',
      'token/refresh/': '/api/token/refresh/',
      'registration/': '/join/',
      'registration/account-confirm-email/{key}/': [
        '/confirm/{key}/',
        '/join/account-confirm-email/{key}/',
      ],
      'user/': ['me/', 'profile/'],
    },
  })
  expect(notes.map(({ about }) => about)).not.toContain('AUTH_PREFIX')
})

test('a prefix where the pages are by default moves the pages', () => {
  const { settings } = convert(found({ urls: accountUrls('account/') }))
  expect(settings).toMatchObject({ AUTH_PREFIX: '/account/', PAGES_PREFIX: '/account-pages/' })
})

test.each([
  ['7.0.1', {}, undefined],
  ['6.0.0', {}, '6.0.0'],
  ['3.0.0rc1', {}, '3.0.0'],
  ['2.2.8', { SESSION_LOGIN: true }, '2.2.8'],
  // Where nothing is said about sessions, these versions answered as the newest does.
  ['2.2.8', {}, undefined],
  ['nonsense', {}, undefined],
])('version %s with %j is written as %s', (version, REST_AUTH, written) => {
  const { settings } = convert({ REST_AUTH, ...found({ version }) })
  expect((settings.REST_AUTH as { VERSION?: string } | undefined)?.VERSION).toBe(written)
})

test('whatever else stands where the recipe writes is no reason to fail', () => {
  for (const latchkey of [null, 7, 'x', [], {}, { urls: [1, null, {}], user: [], versions: 7 }]) {
    expect(() => convert({ latchkey, INSTALLED_APPS: ON })).not.toThrow()
  }
})
