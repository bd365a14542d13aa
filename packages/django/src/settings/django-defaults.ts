/** Before Django 4. */
const HASHERS = [
  'django.contrib.auth.hashers.PBKDF2PasswordHasher',
  'django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher',
  'django.contrib.auth.hashers.Argon2PasswordHasher',
  'django.contrib.auth.hashers.BCryptSHA256PasswordHasher',
]

/**
 * The values that Django sets when a project does not. A dump of all settings contains them, but
 * nobody chose them. They are skipped, so that our own defaults apply, some of which are stricter.
 */
export const djangoDefaults: Readonly<Record<string, unknown>> = {
  AUTH_USER_MODEL: 'auth.User',
  AUTHENTICATION_BACKENDS: ['django.contrib.auth.backends.ModelBackend'],
  AUTH_PASSWORD_VALIDATORS: [],
  CSRF_COOKIE_AGE: 31_449_600,
  CSRF_COOKIE_DOMAIN: null,
  CSRF_COOKIE_HTTPONLY: false,
  CSRF_COOKIE_NAME: 'csrftoken',
  CSRF_COOKIE_PATH: '/',
  CSRF_COOKIE_SAMESITE: 'Lax',
  CSRF_COOKIE_SECURE: false,
  CSRF_HEADER_NAME: 'HTTP_X_CSRFTOKEN',
  CSRF_TRUSTED_ORIGINS: [],
  CSRF_USE_SESSIONS: false,
  DEFAULT_FROM_EMAIL: 'webmaster@localhost',
  EMAIL_BACKEND: 'django.core.mail.backends.smtp.EmailBackend',
  EMAIL_FILE_PATH: null,
  EMAIL_HOST: 'localhost',
  EMAIL_HOST_PASSWORD: '',
  EMAIL_HOST_USER: '',
  EMAIL_PORT: 25,
  EMAIL_SSL_CERTFILE: null,
  EMAIL_SSL_KEYFILE: null,
  EMAIL_TIMEOUT: null,
  EMAIL_USE_SSL: false,
  EMAIL_USE_TLS: false,
  LANGUAGE_CODE: 'en-us',
  PASSWORD_HASHERS: [...HASHERS, 'django.contrib.auth.hashers.ScryptPasswordHasher'],
  PASSWORD_RESET_TIMEOUT: 259_200,
  // Before Django 4.
  PASSWORD_RESET_TIMEOUT_DAYS: 3,
  SECRET_KEY: '',
  SECRET_KEY_FALLBACKS: [],
  SESSION_COOKIE_AGE: 1_209_600,
  SESSION_COOKIE_DOMAIN: null,
  SESSION_COOKIE_HTTPONLY: true,
  SESSION_COOKIE_NAME: 'sessionid',
  SESSION_COOKIE_PATH: '/',
  SESSION_COOKIE_SAMESITE: 'Lax',
  SESSION_COOKIE_SECURE: false,
  SESSION_EXPIRE_AT_BROWSER_CLOSE: false,
  SESSION_SAVE_EVERY_REQUEST: false,
}

/** Other values that older versions of Django set. */
export const earlierDefaults: Readonly<Record<string, readonly unknown[]>> = {
  // The second list is that of Django 2.0.
  PASSWORD_HASHERS: [HASHERS, [...HASHERS, 'django.contrib.auth.hashers.BCryptPasswordHasher']],
}
