import { expect, test } from 'vitest'
import { ALWAYS_NOTED, convert, SESSION, TOKEN, WITHOUT_SIGNUP } from './support/convert.ts'
import { SECRET } from './support/django-projects.ts'
import { accountUrls, found, jwtUrls, registrationUrls } from './support/recipe.ts'

/*
 * Kinds of projects as they are found in the wild, with what the recipe finds out about them, and
 * the whole file that they become. What a project has open stays open, and what it has closed stays
 * closed.
 */

const KEY = { SECRET_KEY: SECRET, DJANGO_SECRET_KEY: SECRET }
const FIELDS = ['username*', 'email', 'password1*', 'password2*']
const CONFIRM = 'registration/account-confirm-email/{key}/'
/** The link in a mail stays where Django has it. */
const ROUTES = { [CONFIRM]: CONFIRM }

type Project = { given: object; becomes: object; noted?: string[] }

const projects: Record<string, Project> = {
  'an annotation tool: the app for registration is installed, its URLs are not': {
    given: {
      SECRET_KEY: SECRET,
      INSTALLED_APPS: ['rest_framework.authtoken', 'dj_rest_auth', 'dj_rest_auth.registration'],
      REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: [SESSION] },
      EMAIL_SUPPORT: 'help@example.com',
      SESSION_TIMEOUT_MINUTES: 30,
      ACCOUNT_ACTIVATION_DAYS: 7,
      PASSWORD_POLICY: 'strict',
      ...found({ version: '5.1.0', urls: accountUrls('v1/auth/') }),
    },
    becomes: {
      ...KEY,
      AUTH_PREFIX: '/v1/auth/',
      MODULES: WITHOUT_SIGNUP,
      ACCOUNT: { SIGNUP_FIELDS: FIELDS },
      REST_AUTH: { VERSION: '5.1.0' },
      REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['session'] },
    },
    noted: ['MODULES', 'REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES'],
  },
  'the package before dj-rest-auth, with keys and registration elsewhere': {
    given: {
      SECRET_KEY: SECRET,
      INSTALLED_APPS: ['rest_auth', 'allauth.account', 'rest_auth.registration'],
      ACCOUNT_EMAIL_VERIFICATION: 'none',
      CORS_ORIGIN_WHITELIST: ['https://app.example.com'],
      ...found({
        version: '0.9.5',
        urls: [
          ...accountUrls('^rest-auth/', 'rest_auth'),
          ...registrationUrls('^sign-up/', 'rest_auth'),
        ],
      }),
    },
    becomes: {
      ...KEY,
      AUTH_PREFIX: '/rest-auth/',
      ROUTES: { 'registration/': '/sign-up/' },
      MODULES: ['registration', ...WITHOUT_SIGNUP],
      ACCOUNT: { EMAIL_VERIFICATION: 'none', SIGNUP_FIELDS: FIELDS },
      CORS_ALLOWED_ORIGINS: ['https://app.example.com'],
    },
  },
  'an inventory: its own token class, Basic and the session beside a token model': {
    given: {
      SECRET_KEY: SECRET,
      INSTALLED_APPS: ['dj_rest_auth', 'dj_rest_auth.registration'],
      REST_FRAMEWORK: {
        DEFAULT_AUTHENTICATION_CLASSES: [
          'users.authentication.ApiTokenAuthentication',
          'rest_framework.authentication.BasicAuthentication',
          SESSION,
        ],
      },
      REST_AUTH: {
        SESSION_LOGIN: true,
        TOKEN_MODEL: 'users.models.ApiToken',
        TOKEN_CREATOR: 'users.models.default_create_token',
      },
      ACCOUNT_PREVENT_ENUMERATION: true,
      ...found({
        version: '6.0.0',
        urls: [...accountUrls('api/auth/'), ...registrationUrls('api/auth/registration/')],
      }),
    },
    becomes: {
      ...KEY,
      AUTH_PREFIX: '/api/auth/',
      ROUTES,
      MODULES: ['registration', ...WITHOUT_SIGNUP],
      ACCOUNT: { SIGNUP_FIELDS: FIELDS },
      REST_AUTH: { VERSION: '6.0.0', SESSION_LOGIN: true, TOKEN_MODEL: 'token' },
      REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['token', 'session'] },
    },
    noted: [
      'REST_AUTH.VERSION',
      'REST_AUTH.TOKEN_MODEL',
      'REST_AUTH.TOKEN_CREATOR',
      'REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES',
    ],
  },
  'the JWT library before simplejwt': {
    given: {
      SECRET_KEY: SECRET,
      INSTALLED_APPS: ['rest_auth', 'rest_auth.registration'],
      REST_USE_JWT: true,
      REST_FRAMEWORK: {
        DEFAULT_AUTHENTICATION_CLASSES: [
          'rest_framework_jwt.authentication.JSONWebTokenAuthentication',
          SESSION,
        ],
      },
      JWT_AUTH: {
        JWT_EXPIRATION_DELTA: '1 day, 0:00:00',
        JWT_ALLOW_REFRESH: true,
        JWT_REFRESH_EXPIRATION_DELTA: '7 days, 0:00:00',
        JWT_ALGORITHM: 'HS256',
        JWT_AUTH_COOKIE: null,
        JWT_RESPONSE_PAYLOAD_HANDLER: 'accounts.utils.payload',
      },
      ...found({
        version: '0.9.5',
        urls: [
          ...accountUrls('api/', 'rest_auth'),
          ...registrationUrls('api/registration/', 'rest_auth'),
        ],
      }),
    },
    becomes: {
      ...KEY,
      AUTH_PREFIX: '/api/',
      ROUTES,
      MODULES: ['registration', ...WITHOUT_SIGNUP],
      ACCOUNT: { SIGNUP_FIELDS: FIELDS },
      REST_AUTH: {
        VERSION: '0.9.5',
        USE_JWT: true,
        SESSION_LOGIN: true,
        ANSWER_NAMES: { access: ['token', 'access'] },
      },
      SIMPLE_JWT: {
        ACCESS_TOKEN_LIFETIME: '1d',
        REFRESH_TOKEN_LIFETIME: '7d',
        ALGORITHM: 'HS256',
        AUTH_HEADER_TYPES: ['JWT'],
        SIGNING_KEY: SECRET,
      },
      REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['jwt', 'session'] },
    },
    noted: ['JWT_AUTH', 'JWT_AUTH.JWT_ALLOW_REFRESH', 'JWT_AUTH.JWT_RESPONSE_PAYLOAD_HANDLER'],
  },
  'JWT cookies of dj-rest-auth 2': {
    given: {
      SECRET_KEY: SECRET,
      INSTALLED_APPS: ['dj_rest_auth', 'dj_rest_auth.registration'],
      REST_USE_JWT: true,
      JWT_AUTH_COOKIE: 'my-app-auth',
      JWT_AUTH_REFRESH_COOKIE: 'my-refresh-token',
      JWT_AUTH_SAMESITE: null,
      SESSION_COOKIE_SAMESITE: null,
      REST_FRAMEWORK: {
        DEFAULT_AUTHENTICATION_CLASSES: ['dj_rest_auth.jwt_auth.JWTCookieAuthentication'],
      },
      ...found({
        version: '2.2.5',
        urls: [
          ...accountUrls('dj-rest-auth/'),
          ...jwtUrls('dj-rest-auth/'),
          ...registrationUrls('dj-rest-auth/registration/'),
          { path: 'api/token/', view: 'rest_framework_simplejwt.views.TokenObtainPairView' },
        ],
      }),
    },
    becomes: {
      ...KEY,
      AUTH_PREFIX: '/dj-rest-auth/',
      ROUTES: { 'login/': '/api/token/', ...ROUTES },
      MODULES: ['registration', ...WITHOUT_SIGNUP],
      ACCOUNT: { SIGNUP_FIELDS: FIELDS },
      REST_AUTH: {
        VERSION: '2.2.5',
        USE_JWT: true,
        JWT_AUTH_COOKIE: 'my-app-auth',
        JWT_AUTH_REFRESH_COOKIE: 'my-refresh-token',
        ANSWER_NAMES: { access: ['access_token', 'access'], refresh: ['refresh_token', 'refresh'] },
      },
      SIMPLE_JWT: { SIGNING_KEY: SECRET },
      REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['jwt'] },
    },
    noted: ['REST_AUTH.VERSION'],
  },
  'allauth with a second factor, Google, UUIDs, and users without names': {
    given: {
      SECRET_KEY: SECRET,
      AUTH_USER_MODEL: 'users.User',
      INSTALLED_APPS: ['allauth.mfa', 'dj_rest_auth', 'dj_rest_auth.registration'],
      REST_AUTH: { USE_JWT: true, SESSION_LOGIN: false, JWT_AUTH_HTTPONLY: false },
      // Names of dj-rest-auth 2 that were left behind, and that nothing reads any more.
      REST_USE_JWT: false,
      REST_AUTH_SERIALIZERS: { LOGIN_SERIALIZER: 'users.serializers.Gone' },
      REST_FRAMEWORK: {
        DEFAULT_AUTHENTICATION_CLASSES: ['users.auth.CookieJWTAuthentication', TOKEN],
      },
      ACCOUNT_LOGIN_METHODS: ['email'],
      ACCOUNT_SIGNUP_FIELDS: ['email*', 'password1*', 'password2*'],
      ACCOUNT_USER_MODEL_USERNAME_FIELD: null,
      ACCOUNT_ALLOW_REGISTRATION: false,
      ACCOUNT_ADAPTER: 'users.adapters.AccountAdapter',
      MFA_TOTP_ISSUER: 'Example',
      SOCIALACCOUNT_PROVIDERS: {
        google: {
          APP: { client_id: 'x', secret: 'y' },
          EMAIL_AUTHENTICATION: true,
          VERIFIED_EMAIL: true,
        },
      },
      ...found({
        version: '7.0.1',
        urls: [
          ...accountUrls('api/auth/'),
          ...jwtUrls('api/auth/'),
          { path: 'api/auth/verify-email/', name: 'rest_verify_email' },
          {
            path: 'api/auth/google/login/',
            view: 'dj_rest_auth.registration.views.SocialLoginView',
            provider: 'google',
            callback_url: 'https://app.example.com/google',
          },
          {
            path: 'reset-password/<uidb64>/<slug:token>/',
            name: 'password_reset_confirm',
          },
        ],
        user: {
          pk: 'UUIDField',
          username_field: 'email',
          fields: ['id', 'password', 'email', 'first_name', 'last_name', 'plan'],
        },
        social_signup: true,
      }),
    },
    becomes: {
      ...KEY,
      USER_PK: 'uuid',
      AUTH_PREFIX: '/api/auth/',
      ROUTES: {
        'google/': 'google/login/',
        'password/reset/confirm/{uid}/{token}/': '/reset-password/{uid}/{token}/',
      },
      MODULES: ['social', ...WITHOUT_SIGNUP],
      ACCOUNT: {
        LOGIN_METHODS: ['email'],
        SIGNUP_FIELDS: ['email*', 'password1*', 'password2*'],
      },
      REST_AUTH: {
        USE_JWT: true,
        SESSION_LOGIN: false,
        JWT_AUTH_HTTPONLY: false,
        MFA_TOTP_ISSUER: 'Example',
        USER_DETAILS_SERIALIZER: { fields: ['pk', 'email', 'first_name', 'last_name'] },
      },
      SIMPLE_JWT: { SIGNING_KEY: SECRET },
      REST_FRAMEWORK: { DEFAULT_AUTHENTICATION_CLASSES: ['jwt', 'token'] },
      SOCIALACCOUNT: {
        SIGNUP: true,
        PROVIDERS: {
          google: {
            APP: { client_id: 'x', secret: 'y' },
            CALLBACK_URL: ['https://app.example.com/google'],
            EMAIL_AUTHENTICATION: true,
            VERIFIED_EMAIL: true,
          },
        },
      },
    },
    noted: [
      'MODULES',
      'AUTH_USER_MODEL',
      'ACCOUNT_ADAPTER',
      'REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES',
    ],
  },
}

/** Every project here has a secret key, and gets a note on it. */
const ALWAYS = [...ALWAYS_NOTED, 'SECRET_KEY']

test.each(Object.entries(projects))('%s', (_, { given, becomes, noted = [] }) => {
  const { settings, notes } = convert(given)
  expect(settings).toEqual(becomes)
  const others = notes.map(({ about }) => about).filter((about) => !ALWAYS.includes(about))
  expect([...new Set(others)].toSorted()).toEqual(noted.toSorted())
})
