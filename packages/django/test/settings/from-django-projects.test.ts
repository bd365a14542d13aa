import { expect, test } from 'vitest'
import { convert } from './support/convert.ts'
import { SECRET } from './support/django-projects.ts'

/*
 * What public projects with dj-rest-auth set, by kind. Whatever is about accounts is carried over or
 * has a note.
 */

type Project = { given: object; carried: object; noted: string[] }

const projects: Record<string, Project> = {
  'a course project with cookies': {
    given: {
      SECRET_KEY: SECRET,
      INSTALLED_APPS: ['dj_rest_auth', 'dj_rest_auth.registration'],
      REST_FRAMEWORK: {
        DEFAULT_AUTHENTICATION_CLASSES: ['dj_rest_auth.jwt_auth.JWTCookieAuthentication'],
        DATETIME_FORMAT: '%d %b %Y',
        DEFAULT_PAGINATION_CLASS: 'rest_framework.pagination.PageNumberPagination',
      },
      REST_USE_JWT: true,
      JWT_AUTH_SECURE: true,
      JWT_AUTH_COOKIE: 'my-app-auth',
      JWT_AUTH_REFRESH_COOKIE: 'my-refresh-token',
      JWT_AUTH_SAMESITE: 'None',
      REST_AUTH_SERIALIZERS: { USER_DETAILS_SERIALIZER: 'api.serializers.CurrentUser' },
      CORS_ALLOWED_ORIGINS: ['https://app.example.com/'],
    },
    carried: {
      REST_AUTH: {
        VERSION: '2',
        USE_JWT: true,
        JWT_AUTH_COOKIE: 'my-app-auth',
        JWT_AUTH_SAMESITE: 'None',
      },
      CORS_ALLOWED_ORIGINS: ['https://app.example.com'],
      ACCOUNT: { SIGNUP_FIELDS: ['username*', 'email', 'password1*', 'password2*'] },
    },
    noted: [
      'REST_AUTH.USER_DETAILS_SERIALIZER',
      'REST_AUTH.VERSION',
      'REST_FRAMEWORK.DATETIME_FORMAT',
    ],
  },
  'a tutorial for NextAuth': {
    given: {
      SECRET_KEY: SECRET,
      REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false, EMAIL_VERIFICATION: 'optional' },
      SIMPLE_JWT: {
        ACCESS_TOKEN_LIFETIME: '1:00:00',
        REFRESH_TOKEN_LIFETIME: '7 days, 0:00:00',
        ROTATE_REFRESH_TOKENS: false,
        UPDATE_LAST_LOGIN: true,
        SIGNING_KEY: 'complexsigningkey',
        ALGORITHM: 'HS512',
      },
      ACCOUNT_EMAIL_VERIFICATION: 'none',
      ACCOUNT_SIGNUP_FIELDS: ['email', 'phone_number', 'first_name', 'last_name'],
      CORS_ALLOW_ALL_ORIGINS: true,
    },
    carried: {
      REST_AUTH: { USE_JWT: true, JWT_AUTH_HTTPONLY: false },
      SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '1h', ALGORITHM: 'HS512' },
      ACCOUNT: {
        SIGNUP_FIELDS: ['email*', 'first_name', 'last_name', 'password1*', 'password2*'],
      },
    },
    noted: [
      'SIMPLE_JWT.SIGNING_KEY',
      'REST_AUTH.EMAIL_VERIFICATION',
      'ACCOUNT_SIGNUP_FIELDS',
      'CORS_ALLOW_ALL_ORIGINS',
    ],
  },
  'a template with JWT as the word, and keys of its own': {
    given: {
      SECRET_KEY: SECRET,
      REST_USE_JWT: true,
      REST_SESSION_LOGIN: false,
      REST_AUTH_TOKEN_MODEL: 'knox.models.AuthToken',
      REST_AUTH_TOKEN_CREATOR: 'users.utils.create_knox_token',
      SIMPLE_JWT: { AUTH_HEADER_TYPES: "('JWT',)", USER_ID_FIELD: 'user_id' },
      ACCOUNT_ALLOW_REGISTRATION: false,
      ACCOUNT_USERNAME_BLACKLIST: ['admin'],
      ACCOUNT_EMAIL_CONFIRMATION_ANONYMOUS_REDIRECT_URL: '/verified/',
      EMAIL_BACKEND: 'sendgrid_backend.SendgridBackend',
    },
    carried: {
      REST_AUTH: {
        USE_JWT: true,
        SESSION_LOGIN: false,
        TOKEN_MODEL: 'token',
        TOKEN_CREATOR: 'per_login',
      },
      SIMPLE_JWT: { AUTH_HEADER_TYPES: ['JWT'] },
    },
    noted: [
      'REST_AUTH.TOKEN_MODEL',
      'REST_AUTH.TOKEN_CREATOR',
      'SIMPLE_JWT.USER_ID_FIELD',
      'MODULES',
      'ACCOUNT_USERNAME_BLACKLIST',
      'ACCOUNT_EMAIL_CONFIRMATION_ANONYMOUS_REDIRECT_URL',
      'EMAIL_BACKEND',
    ],
  },
}

test.each(Object.entries(projects))('%s', (_, { given, carried, noted }) => {
  const { settings, notes } = convert(given)
  expect(settings).toMatchObject(carried)
  expect(notes.map(({ about }) => about)).toEqual(expect.arrayContaining(noted))
  expect(JSON.stringify(notes)).not.toContain('complexsigningkey')
})
