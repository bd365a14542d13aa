import { SESSION, TOKEN } from './convert.ts'

/** Dumps of five Django projects. Each is dumped in another way. */

export const SECRET = 'django-insecure-9w!k3v@q8z#r5t^y7u*i0o(p)a=s+d-f'
export const MAIL_PASSWORD = 'p@ss/word:with?marks'
export const CLIENT_SECRET = 'GOCSPX-a-secret-of-google'

/** A single-page app with API keys. Only settings of the project itself. */
export const plainToken = {
  SECRET_KEY: SECRET,
  INSTALLED_APPS: ['rest_framework', 'rest_framework.authtoken', 'dj_rest_auth'],
  REST_FRAMEWORK: {
    DEFAULT_AUTHENTICATION_CLASSES: [TOKEN],
    DEFAULT_THROTTLE_RATES: { dj_rest_auth: '30/minute', anon: '1000/day' },
    DEFAULT_PAGINATION_CLASS: 'rest_framework.pagination.PageNumberPagination',
  },
  REST_AUTH: { OLD_PASSWORD_FIELD_ENABLED: true },
  CORS_ALLOWED_ORIGINS: ['http://localhost:3000', 'https://app.example.com'],
  ALLOWED_HOSTS: ['api.example.com'],
  EMAIL_BACKEND: 'django.core.mail.backends.console.EmailBackend',
}

/** Cookies for a single-page app on another origin. Dumped with Django's JSON encoder. */
export const jwtCookie = {
  SECRET_KEY: SECRET,
  INSTALLED_APPS: [
    'allauth.account',
    'dj_rest_auth',
    'dj_rest_auth.registration',
    'rest_framework_simplejwt.token_blacklist',
  ],
  REST_AUTH: {
    USE_JWT: true,
    JWT_AUTH_COOKIE: 'my-app-auth',
    JWT_AUTH_REFRESH_COOKIE: 'my-refresh-token',
    JWT_AUTH_SAMESITE: 'None',
    JWT_AUTH_SECURE: true,
    JWT_AUTH_COOKIE_DOMAIN: null,
    USER_DETAILS_SERIALIZER: 'accounts.serializers.UserSerializer',
    REGISTER_SERIALIZER: 'accounts.serializers.RegisterSerializer',
    PASSWORD_RESET_SERIALIZER: 'dj_rest_auth.serializers.PasswordResetSerializer',
  },
  REST_FRAMEWORK: {
    DEFAULT_AUTHENTICATION_CLASSES: ['dj_rest_auth.jwt_auth.JWTCookieAuthentication', SESSION],
  },
  SIMPLE_JWT: {
    ACCESS_TOKEN_LIFETIME: 'P0DT00H15M00S',
    REFRESH_TOKEN_LIFETIME: 'P7DT00H00M00S',
    ROTATE_REFRESH_TOKENS: true,
    BLACKLIST_AFTER_ROTATION: true,
    SIGNING_KEY: SECRET,
    ALGORITHM: 'HS256',
    AUTH_HEADER_TYPES: ['Bearer'],
  },
  ACCOUNT_EMAIL_VERIFICATION: 'mandatory',
  ACCOUNT_LOGIN_METHODS: ['email'],
  ACCOUNT_SIGNUP_FIELDS: ['email*', 'password1*', 'password2*'],
  ACCOUNT_ADAPTER: 'accounts.adapter.AccountAdapter',
  EMAIL_BACKEND: 'django.core.mail.backends.smtp.EmailBackend',
  EMAIL_HOST: 'mail.example.com',
  EMAIL_PORT: 587,
  EMAIL_USE_TLS: true,
  EMAIL_HOST_USER: 'mailer@example.com',
  EMAIL_HOST_PASSWORD: MAIL_PASSWORD,
  DEFAULT_FROM_EMAIL: 'Example <noreply@example.com>',
  CSRF_TRUSTED_ORIGINS: ['https://app.example.com', 'https://*.preview.example.com'],
  SESSION_COOKIE_SAMESITE: 'None',
  SESSION_COOKIE_SECURE: true,
}

/** Bearer tokens for phones, and social login. Dumped with `default=str`, including Django's defaults. */
export const jwtMobile = {
  SECRET_KEY: SECRET,
  SECRET_KEY_FALLBACKS: [],
  AUTH_USER_MODEL: 'accounts.User',
  INSTALLED_APPS: ['allauth.socialaccount', 'dj_rest_auth', 'dj_rest_auth.registration'],
  REST_AUTH: {
    USE_JWT: true,
    JWT_AUTH_HTTPONLY: false,
    SESSION_LOGIN: false,
    TOKEN_MODEL: null,
    USER_DETAILS_SERIALIZER: "<class 'accounts.serializers.UserSerializer'>",
  },
  SIMPLE_JWT: {
    ACCESS_TOKEN_LIFETIME: '0:05:00',
    REFRESH_TOKEN_LIFETIME: '30 days, 0:00:00',
    ROTATE_REFRESH_TOKENS: true,
    BLACKLIST_AFTER_ROTATION: true,
    AUTH_HEADER_TYPES: ['JWT'],
    USER_ID_FIELD: 'uuid',
    AUDIENCE: null,
    VERIFYING_KEY: '',
  },
  REST_FRAMEWORK: {
    DEFAULT_AUTHENTICATION_CLASSES: ['rest_framework_simplejwt.authentication.JWTAuthentication'],
    EXCEPTION_HANDLER: 'core.exceptions.handler',
    NUM_PROXIES: 2,
  },
  ACCOUNT_LOGIN_METHODS: "{'email', 'username'}",
  SOCIALACCOUNT_PROVIDERS: {
    google: {
      APP: { client_id: '1.apps.example', secret: CLIENT_SECRET, key: '' },
      SCOPE: ['profile', 'email'],
      AUTH_PARAMS: { access_type: 'online' },
      EMAIL_AUTHENTICATION: true,
    },
    github: { SCOPE: ['user:email'] },
    vk: { APP: { client_id: '2', secret: CLIENT_SECRET } },
  },
  SOCIALACCOUNT_EMAIL_AUTHENTICATION: true,
  PASSWORD_HASHERS: [
    'django.contrib.auth.hashers.BCryptSHA256PasswordHasher',
    'django.contrib.auth.hashers.MD5PasswordHasher',
  ],
  // The following values are Django's own defaults.
  PASSWORD_RESET_TIMEOUT: 259_200,
  SESSION_COOKIE_SECURE: false,
  SESSION_COOKIE_AGE: 1_209_600,
  CSRF_COOKIE_SECURE: false,
  EMAIL_HOST: 'localhost',
  EMAIL_PORT: 25,
  DEFAULT_FROM_EMAIL: 'webmaster@localhost',
  LANGUAGE_CODE: 'en-us',
}

/** dj-rest-auth 2 with its old names. */
export const oldProject = {
  SECRET_KEY: 'short',
  REST_USE_JWT: true,
  JWT_AUTH_COOKIE: 'jwt',
  JWT_AUTH_REFRESH_COOKIE: 'refresh',
  REST_SESSION_LOGIN: 'False',
  OLD_PASSWORD_FIELD_ENABLED: 'True',
  LOGOUT_ON_PASSWORD_CHANGE: true,
  REST_AUTH_SERIALIZERS: { USER_DETAILS_SERIALIZER: 'users.api.UserSerializer' },
  REST_AUTH_REGISTER_SERIALIZERS: { REGISTER_SERIALIZER: 'users.api.RegisterSerializer' },
  REST_AUTH_REGISTER_PERMISSION_CLASSES: ['users.permissions.Invited'],
  ACCOUNT_AUTHENTICATION_METHOD: 'username_email',
  ACCOUNT_EMAIL_REQUIRED: true,
  ACCOUNT_USERNAME_REQUIRED: false,
  ACCOUNT_EMAIL_VERIFICATION: 'none',
  ACCOUNT_LOGIN_ATTEMPTS_LIMIT: 5,
  ACCOUNT_LOGIN_ATTEMPTS_TIMEOUT: 600,
  CORS_ORIGIN_WHITELIST: ['https://app.example.com', 'old.example.com'],
  CORS_ORIGIN_ALLOW_ALL: true,
  PASSWORD_RESET_TIMEOUT_DAYS: 1,
  SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: 'datetime.timedelta(seconds=3600)' },
  JWT_AUTH: { JWT_EXPIRATION_DELTA: 'datetime.timedelta(days=7)' },
}

/** allauth 65 with its second factor, headless front end and limits. */
export const allauthMfa = {
  SECRET_KEY: SECRET,
  INSTALLED_APPS: [
    'allauth.account',
    'allauth.mfa',
    'allauth.headless',
    'dj_rest_auth.registration',
  ],
  ACCOUNT_EMAIL_VERIFICATION: 'mandatory',
  ACCOUNT_SIGNUP_FIELDS: ['username*', 'email*', 'email2*', 'phone', 'password1*', 'password2*'],
  ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS: 7,
  ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED: true,
  ACCOUNT_RATE_LIMITS: {
    login_failed: '5/5m/key,50/10m/ip',
    reset_password: '5/h/key',
    signup: '5/m/user',
    confirm_email: false,
    change_password: '5/m/user',
  },
  ACCOUNT_A_NAME_OF_TOMORROW: true,
  MFA_SUPPORTED_TYPES: ['totp', 'recovery_codes', 'webauthn'],
  MFA_TOTP_ISSUER: 'Example',
  MFA_TOTP_DIGITS: 8,
  MFA_RECOVERY_CODE_COUNT: 12,
  MFA_TRUST_ENABLED: true,
  MFA_PASSKEY_SIGNUP_ENABLED: false,
  HEADLESS_FRONTEND_URLS: {
    account_confirm_email: 'https://app.example.com/verify/{key}',
    account_reset_password_from_key: 'https://app.example.com/reset/{key}',
    account_signup: 'https://app.example.com/signup',
  },
  AUTH_PASSWORD_VALIDATORS: [
    { NAME: 'django.contrib.auth.password_validation.CommonPasswordValidator' },
    {
      NAME: 'django.contrib.auth.password_validation.MinimumLengthValidator',
      OPTIONS: { min_length: 12 },
    },
  ],
  SESSION_COOKIE_NAME: 'example_session',
  SESSION_COOKIE_AGE: 604_800,
  LANGUAGE_CODE: 'de',
}
