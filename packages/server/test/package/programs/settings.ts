import type { SettingsInput } from 'latchkey'

export const right: SettingsInput[] = [
  {},
  { SECRET_KEY: process.env.SECRET_KEY, REST_AUTH: undefined, EMAIL_TEMPLATES_DIR: null },
  { PORT: 0, PUBLIC_URL: 'https://auth.example.com', MODULES: ['registration', 'pages'] },
  { PASSWORD_HASHERS: ['argon2', 'django.contrib.auth.hashers.PBKDF2PasswordHasher'] },
  { REST_AUTH: { USE_JWT: true, TOKEN_MODEL: null, JWT_AUTH_SAMESITE: 'Strict' } },
  { REST_AUTH: { ANSWER_NAMES: { key: 'token', access: ['access', 'access_token'] } } },
  { REST_AUTH: { USER_DETAILS_SERIALIZER: { fields: ['pk', 'name'], as: { name: 'username' } } } },
  {
    SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '5m', REFRESH_TOKEN_LIFETIME: 86_400, ALGORITHM: 'ES256' },
  },
  { SIMPLE_JWT: { LEEWAY: `${1 + 1}s`, REFRESH_REUSE_GRACE: '1.5h', CLAIMS: { roles: 'groups' } } },
  { REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '100/hour' }, NUM_PROXIES: 1 } },
  { REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '10/5m' } } },
  { ACCOUNT: { SIGNUP_FIELDS: ['email*', 'password1*'], LOGIN_METHODS: ['email'] } },
  { ACCOUNT: { RATE_LIMITS: { login_failed: '5/m/key, 50/hour/ip', signup: ['9/m/ip'] } } },
  { ACCOUNT: { RATE_LIMITS: { reset_mail: null, verify_mail: 'none', code_mail: [] } } },
  { ROUTES: { 'login/': 'signin/', 'registration/': ['register/', '/join/'] } },
  { USER_FIELDS: { phone: { type: 'string', max_length: 20, unique: true, signup: true } } },
  { USER_FIELDS: { age: { type: 'integer', min: 0, max: 150, default: 18 } } },
  { USER_FIELDS: { tags: { type: 'list', choices: ['a', 'b'], default: ['a'] } } },
  {
    SOCIALACCOUNT: {
      PROVIDERS: {
        google: { APP: { client_id: 'id', secret: process.env.GOOGLE_SECRET }, SCOPE: 'openid' },
        github: { APPS: [{ client_id: 'id' }], GITHUB_URL: 'https://git.example.com' },
        openid_connect: {
          APPS: [{ provider_id: 'sso', client_id: 'id', settings: { server_url: 'https://sso' } }],
        },
        apple: { APP: { client_id: 'id', settings: { token_auth_method: 'none' } } },
        facebook: process.env.FACEBOOK_ID ? { APP: { client_id: 'id' } } : undefined,
      },
    },
  },
]

export const wrongNames: SettingsInput[] = [
  // @ts-expect-error
  { DATABASE: 'sqlite:app.db' },
  // @ts-expect-error
  { REST_AUTHS: {} },
  // @ts-expect-error
  { REST_AUTH: { USE_JWTS: true } },
  // @ts-expect-error
  { USE_JWT: true },
  // @ts-expect-error
  { ACCOUNT: { RATE_LIMITS: { login_faild: '5/m/key' } } },
  // @ts-expect-error
  { REST_AUTH: { ANSWER_NAMES: { token: 'key' } } },
  // @ts-expect-error
  { USER_FIELDS: { phone: { type: 'string', length: 20 } } },
  // @ts-expect-error
  { SOCIALACCOUNT: { PROVIDERS: { gogle: { APP: { client_id: 'id' } } } } },
  // @ts-expect-error
  { SOCIALACCOUNT: { PROVIDERS: { google: { APP: { client_id: 'id' }, TENANT: 'consumers' } } } },
]

export const wrongValues: SettingsInput[] = [
  // @ts-expect-error
  { PORT: '8000' },
  // @ts-expect-error
  { API_DOCS: 'true' },
  // @ts-expect-error
  { PUBLIC_URL: null },
  // @ts-expect-error
  { REST_AUTH: [] },
  // @ts-expect-error
  { REST_AUTH: null },
  // @ts-expect-error
  { MODULES: 'mfa' },
  // @ts-expect-error
  { MODULES: ['mfaa'] },
  // @ts-expect-error
  { LOG_LEVEL: 'loud' },
  // @ts-expect-error
  { REST_AUTH: { JWT_AUTH_SAMESITE: 'Loose' } },
  // @ts-expect-error
  { REST_AUTH: { TOKEN_MODEL: 'authtoken' } },
  // @ts-expect-error
  { SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '5 weeks' } },
  // @ts-expect-error
  { SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: { minutes: 5 } } },
  // @ts-expect-error
  { SIMPLE_JWT: { CLAIMS: { roles: ['groups'] } } },
  // @ts-expect-error
  { REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: 'often' } } },
  // @ts-expect-error
  { REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '5/fortnight' } } },
  // @ts-expect-error
  { ACCOUNT: { RATE_LIMITS: { login_failed: '5/m' } } },
  // @ts-expect-error: registrations have no account that they could be counted by
  { ACCOUNT: { RATE_LIMITS: { signup: '5/m/key' } } },
  // @ts-expect-error
  { ROUTES: { 'login/': 5 } },
  // @ts-expect-error
  { USER_FIELDS: { phone: {} } },
  // @ts-expect-error
  { USER_FIELDS: { phone: { type: 'text' } } },
  // @ts-expect-error
  { USER_FIELDS: { isNice: { type: 'boolean', max_length: 5 } } },
  // @ts-expect-error
  { USER_FIELDS: { age: { type: 'integer', default: 'old' } } },
  // @ts-expect-error
  { SOCIALACCOUNT: { PROVIDERS: { google: {} } } },
  // @ts-expect-error
  { SOCIALACCOUNT: { PROVIDERS: { google: { APP: { secret: 'only' } } } } },
  // @ts-expect-error
  { SOCIALACCOUNT: { PROVIDERS: { google: { APP: { client_id: 'id' }, VERIFIED_EMAIL: 'no' } } } },
]
