import { expect, test } from 'vitest'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { mistakesOf } from './mistakes-of.ts'

test.each<[input: object, mistake: string]>([
  [
    { REST_AUTH: { USE_JWT: 'maybe' } },
    'REST_AUTH.USE_JWT (settings): got "maybe", expected true or false',
  ],
  [{ PORT: 70000 }, 'PORT (settings): got 70000, expected a whole number from 0 to 65535'],
  [
    { MODULES: ['mfa', 'mfaa'] },
    'MODULES (settings): got "mfaa", expected registration, social, mfa, passkeys, pages or admin',
  ],
  [
    { REST_AUTH: { USER_DETAILS_SERIALIZER: { editable: ['email'] } } },
    'REST_AUTH.USER_DETAILS_SERIALIZER: email cannot be editable; only these can: username, first_name, last_name',
  ],
  [
    { REST_AUTH: { USER_DETAILS_SERIALIZER: { fields: ['password'] } } },
    'REST_AUTH.USER_DETAILS_SERIALIZER: users have no field password; they have pk, username, email, first_name, last_name, id, date_joined, last_login, is_active, is_staff, is_superuser, email_verified, groups',
  ],
  [
    { REST_AUTH: { ANSWER_NAMES: { token: 'key' } } },
    'REST_AUTH.ANSWER_NAMES (settings): got "token", expected an object with no other keys than key, access, refresh, access_expiration, refresh_expiration, user',
  ],
  [
    { REST_AUTH: { ANSWER_NAMES: { key: '' } } },
    'REST_AUTH.ANSWER_NAMES.key (settings): got "", expected a list that is not empty, each: a name of letters, digits, - and _',
  ],
  [
    { REST_AUTH: { ANSWER_NAMES: { access: 'token', refresh: ['r', 'token'] } } },
    'REST_AUTH.ANSWER_NAMES: gives the same name to two values of an answer; detail, ephemeral_token and mfa_required are already used',
  ],
  [
    { REST_AUTH: { ANSWER_NAMES: { user: ['refresh'] } } },
    'REST_AUTH.ANSWER_NAMES: gives the same name to two values of an answer; detail, ephemeral_token and mfa_required are already used',
  ],
  [
    { ACCOUNT: { RATE_LIMITS: { login_faild: '1/m/ip' } } },
    'ACCOUNT.RATE_LIMITS (settings): got "login_faild", expected an object with no other keys than login_failed, mfa_failed, reset_mail, verify_mail, code_mail, signup, passkey_begin, social, change_name, notice_mail, invitation_mail',
  ],
  [
    { ACCOUNT: { RATE_LIMITS: { signup: '10/15m/key' } } },
    'ACCOUNT.RATE_LIMITS.signup (settings): got "10/15m/key", expected <count>/<period>/ip, such as 20/m/ip',
  ],
  [
    { ACCOUNT: { RATE_LIMITS: { mfa_failed: '10/15m' } } },
    'ACCOUNT.RATE_LIMITS.mfa_failed (settings): got "10/15m", expected <count>/<period>/<ip|key|user>, such as 10/5m/key',
  ],
  [
    { REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: { auth_service: '5/fortnight' } } },
    'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES.auth_service (settings): got "5/fortnight", expected <count>/<period>, such as 5/m, 100/hour or 10/5m',
  ],
  [
    { PASSWORD_RESET_URL: 'https://a.example/{uid}' },
    'PASSWORD_RESET_URL (settings): got "https://a.example/{uid}", expected an absolute URL that contains {uid} and {token}',
  ],
  [
    { EMAIL_CONFIRM_URL: 'https://a.example/' },
    'EMAIL_CONFIRM_URL (settings): got "https://a.example/", expected an absolute URL that contains {key}',
  ],
  [
    { SESSION_COOKIE_NAME: 'my cookie' },
    'SESSION_COOKIE_NAME (settings): got "my cookie", expected a cookie name (letters, digits, - _ and the like)',
  ],
  [
    { AUTH_PREFIX: 'auth/' },
    'AUTH_PREFIX (settings): got "auth/", expected a path that begins with /, such as /auth/',
  ],
  [{ AUTH_PREFIX: '/../' }, 'AUTH_PREFIX (settings): got "/../"'],
  [{ PUBLIC_URL: 'https://a.example/auth' }, 'PUBLIC_URL (settings): got "https://a.example/auth"'],
  [{ EMAIL_FROM: 'a@b.example\nBcc: c@d.example' }, 'EMAIL_FROM (settings): got "a@b.example\\nB'],
  [{ PASSWORD_HASHERS: ['md5'] }, 'PASSWORD_HASHERS (settings): got "md5", expected argon2, '],
  [{ TOKEN_MODEL: null }, 'TOKEN_MODEL (settings): no such setting; did you mean REST_AUTH.TOKEN'],
  [{ REST_AUTHH: {} }, 'REST_AUTHH (settings): no such setting; did you mean REST_AUTH?'],
  [{ secret_key: 'x' }, 'secret_key (settings): no such setting; did you mean SECRET_KEY?'],
  [
    { REST_AUTH: { USEJWT: true } },
    'REST_AUTH.USEJWT (settings): no such setting; did you mean REST_AUTH.USE_JWT?',
  ],
  [
    { REST_AUTH: { SECRET_KEY: 'x' } },
    'REST_AUTH.SECRET_KEY (settings): no such setting; did you mean SECRET_KEY?',
  ],
  [{ COLOUR: 'red' }, 'COLOUR (settings): no such setting'],
  [{ 'two\nlines': 1 }, '"two\\nlines" (settings): no such setting'],
  [{ REST_AUTH: true }, 'REST_AUTH (settings): expected an object with the settings of this group'],
  [{ ACCOUNT: [] }, 'ACCOUNT (settings): expected an object with the settings of this group'],
  [
    { ACCOUNT: { LOGOUT_ON_GET: true }, ACCOUNT_LOGOUT_ON_GET: true },
    'ACCOUNT.LOGOUT_ON_GET (settings): is given twice',
  ],
  [{ SOCIALACCOUNT: { PROVIDERS: { google: 'id' } } }, 'SOCIALACCOUNT.PROVIDERS (settings): got'],
  [{ DATABASE_URL: 'mysql://a' }, 'DATABASE_URL (settings): got'],
  [{ DATABASE_URL: 'sqlite:' }, 'DATABASE_URL (settings): got'],
  [{ DATABASE_URL: 'sqlite://data.db' }, 'DATABASE_URL (settings): got'],
  ...['schema', 'search_path', 'currentSchema'].map((name): [object, string] => [
    { DATABASE_URL: `postgres://ada:x@a,b/latchkey?sslmode=require&${name}=auth` },
    `DATABASE_URL (settings): got a value that is not shown here, expected no parameter "${name}": options=-c%20search_path%3D<schema> names a schema`,
  ]),
  ...['ada:50%ff@a/latchkey', 'a,b/%e9', 'a/b?options=%ff'].map((rest): [object, string] => [
    { DATABASE_URL: `postgres://${rest}` },
    'DATABASE_URL (settings): got a value that is not shown here, expected special characters that are percent-encoded (% as %25)',
  ]),
  ...[
    ['statement_timeout', '30s'],
    ['idle_in_transaction_session_timeout', '1.5'],
    ['lock_timeout', '-1'],
    ['query_timeout', ''],
    ['statement_timeout', '5&statement_timeout=1min'],
  ].map(([name, value]): [object, string] => [
    { DATABASE_URL: `postgres://ada:x@a,b/latchkey?sslmode=require&${name}=${value}` },
    `DATABASE_URL (settings): got a value that is not shown here, expected "${name}" in whole milliseconds, without a unit`,
  ]),
  [{ EMAIL_URL: 'smtp://' }, 'EMAIL_URL (settings): got'],
  ...['smtp://my%20host', 'smtp://%ffhost', 'smtps://a%E2%80%8Fb'].map(
    (EMAIL_URL): [object, string] => [
      { EMAIL_URL },
      'EMAIL_URL (settings): got a value that is not shown here, expected a host name',
    ],
  ),
  ...['smtp://ada:100%@mail', 'smtps://50%ff:x@mail', 'smtp://a%4:0@mail'].map(
    (EMAIL_URL): [object, string] => [
      { EMAIL_URL },
      'EMAIL_URL (settings): got a value that is not shown here, expected no path, and a user name and a password whose special characters are percent-encoded (/ as %2F, % as %25)',
    ],
  ),
  ...['requiretls=true', 'requireTLS=1', 'requireTLS', 'requireTLS=true&pool=true'].map(
    (query): [object, string] => [
      { EMAIL_URL: `smtp://ada:x@mail?${query}` },
      'EMAIL_URL (settings): got a value that is not shown here, expected no parameter except requireTLS, which is true or false',
    ],
  ),
])('%j is one mistake, and its message begins with %j', (input, mistake) => {
  const mistakes = mistakesOf(input)
  expect(mistakes).toHaveLength(1)
  expect(mistakes[0]?.slice(0, mistake.length)).toBe(mistake)
})

test('all mistakes are listed, one per line', () => {
  const input = {
    PORT: 'many',
    REST_AUTH: { USE_JWT: 'maybe', NONSENSE: 1, TOKEN_MODEL: 'jwt' },
    ACCOUNT: { RATE_LIMITS: { login_failed: 'x', reset_mail: 'y' } },
    SIMPLE_JWT: { ALGORITHM: 'RS256' },
  }
  expect(mistakesOf(input)).toHaveLength(7)
  expect(() => resolveSettings(input)).toThrow(mistakesOf(input).join('\n'))
  expect(mistakesOf(input).every((line) => !line.includes('\n'))).toBe(true)
})

test('a long or many-lined value is cut and kept on its line', () => {
  const [mistake = ''] = mistakesOf({ HOST: [...'abcdefghijklmnopqrstuvwxyz'], PORT: 1 })
  expect(mistake).toContain('…, expected text')
  expect(mistake).not.toContain('\n')
})

test.each([
  { SECRET_KEY: 'hunter2' },
  { SECRET_KEY_FALLBACKS: ['hunter2', 5, 'hunter2'] },
  { SIMPLE_JWT: { SIGNING_KEY: ['hunter2'] } },
  { DATABASE_URL: 'mysql://root:hunter2@db' },
  { EMAIL_URL: 'sntp://root:hunter2@mail' },
  { EMAIL_URL: 'smtp://root:hunter2%@mail' },
  { EMAIL_URL: 'smtp://root:x@mail?password=hunter2' },
  { SOCIALACCOUNT: { PROVIDERS: { google: 'hunter2' } } },
  { SIMPLE_JWT: 'SIGNING_KEY=hunter2' },
  { SECRET_KEYY: 'hunter2' },
])('a mistake in %j does not give the secret away', (input) => {
  const mistakes = mistakesOf(input)
  expect(mistakes).toHaveLength(1)
  expect(mistakes[0]).not.toContain('hunter2')
})

test('a short secret key is refused with a word on how to make one', () => {
  expect(mistakesOf({ SECRET_KEY: 'x'.repeat(31) })[0]).toContain('openssl rand -hex 32')
  expect(mistakesOf({ SECRET_KEY: 'x'.repeat(32) })).toEqual([])
  expect(mistakesOf({ SECRET_KEY_FALLBACKS: ['x'.repeat(32), 'y'.repeat(31)] })[0]).toContain(
    'SECRET_KEY_FALLBACKS (settings): got a value that is not shown here, expected',
  )
  expect(mistakesOf({ SECRET_KEY_FALLBACKS: ['x'.repeat(32)] })).toEqual([])
})

test('__proto__ is an unknown name everywhere, and changes nothing', () => {
  const poison = (around: (key: string) => string) => mistakesOf(JSON.parse(around('__proto__')))
  expect(poison((key) => `{"${key}": {"PORT": 1}}`)).toEqual([
    '__proto__ (settings): no such setting',
  ])
  expect(poison((key) => `{"REST_AUTH": {"${key}": {"USE_JWT": true}}}`)).toEqual([
    'REST_AUTH.__proto__ (settings): no such setting',
  ])
  expect(poison((key) => `{"SOCIALACCOUNT": {"PROVIDERS": {"${key}": {"x": {}}}}}`)).toHaveLength(1)
  expect(Object.hasOwn(Object.prototype, 'PORT')).toBe(false)
})

test('what a program leaves undefined is not given', () => {
  expect(mistakesOf({ SECRET_KEY: undefined, REST_AUTH: undefined })).toEqual([])
  expect(resolveSettings({ PORT: undefined, ACCOUNT: { LOGOUT_ON_GET: undefined } }).PORT).toBe(
    8000,
  )
})
