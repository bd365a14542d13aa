import { HOUR } from '../kernel/clock.ts'
import type { Settings } from './settings.ts'

/** Where the admin pages are. The API is below it, at `api/`. A host may name another path. */
export const ADMIN_PATH = '/admin/'

/** An admin session ends after this time, however much it is used. */
export const ADMIN_SESSION_AGE = 8 * HOUR

/**
 * The settings as the admin API sees them: it has its own origin and cookies, trusts no other page,
 * knows only its own sessions, and accepts only passkeys that verify the user. Its errors have the
 * usual names, whatever the front end of the site expects.
 */
export function adminView(settings: Settings): Settings {
  const { ADMIN_PUBLIC_URL, REST_AUTH, REST_FRAMEWORK, SIMPLE_JWT } = settings
  const isHttps = ADMIN_PUBLIC_URL.startsWith('https:')
  return {
    ...settings,
    PUBLIC_URL: ADMIN_PUBLIC_URL,
    CORS_ALLOWED_ORIGINS: [],
    CSRF_TRUSTED_ORIGINS: [],
    DJANGO_SECRET_KEY: null,
    SESSION_COOKIE_NAME: 'latchkey_admin',
    SESSION_COOKIE_AGE: ADMIN_SESSION_AGE,
    SESSION_COOKIE_SAMESITE: 'Strict',
    SESSION_COOKIE_SECURE: isHttps,
    SESSION_COOKIE_DOMAIN: null,
    CSRF_COOKIE_NAME: 'latchkey_admin_csrf',
    CSRF_COOKIE_AGE: ADMIN_SESSION_AGE,
    CSRF_COOKIE_SAMESITE: 'Strict',
    CSRF_COOKIE_SECURE: isHttps,
    CSRF_COOKIE_DOMAIN: null,
    REST_AUTH: {
      ...REST_AUTH,
      // Challenges say `Bearer`, which announces admin keys here.
      USE_JWT: true,
      SESSION_LOGIN: true,
      TOKEN_MODEL: null,
      JWT_AUTH_COOKIE: null,
      JWT_AUTH_REFRESH_COOKIE: null,
      JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED: false,
      PASSKEY_RP_ORIGINS: [ADMIN_PUBLIC_URL],
      PASSKEY_USER_VERIFICATION: 'required',
    },
    SIMPLE_JWT: { ...SIMPLE_JWT, AUTH_HEADER_TYPES: ['Bearer'] },
    REST_FRAMEWORK: {
      ...REST_FRAMEWORK,
      DEFAULT_AUTHENTICATION_CLASSES: ['session'],
      NON_FIELD_ERRORS_KEY: 'non_field_errors',
      ERRORS_UNDER: null,
    },
  }
}
