import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MINUTE, SECOND } from '../../src/kernel/clock.ts'
import { loadSettings, type SettingsSources } from '../../src/settings/load.ts'

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-settings-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

async function load(sources: Partial<SettingsSources>, files: Record<string, string> = {}) {
  return loadSettings({ env: {}, sets: [], cwd: await folderWith(files), ...sources })
}

const USUAL = 'latchkey.config.json'

test('later ways to give a setting win over earlier ones, and each is remembered', async () => {
  const file = '{"REST_AUTH": {"MFA_TOTP_DIGITS": 7, "USE_JWT": true}, "PORT": 1, "HOST": "::1"}'
  const { settings, origins } = await load(
    {
      env: { REST_AUTH_MFA_TOTP_DIGITS: '8', PORT: '2', PATH: '/bin' },
      sets: ['PORT=3', 'PORT=4'],
    },
    { [USUAL]: file },
  )
  expect(settings).toMatchObject({
    PORT: 4,
    HOST: '::1',
    AUTH_PREFIX: '/auth/',
    REST_AUTH: { MFA_TOTP_DIGITS: 8, USE_JWT: true },
  })
  expect(origins).toMatchObject({
    PORT: '--set',
    HOST: 'file',
    AUTH_PREFIX: 'default',
    'REST_AUTH.MFA_TOTP_DIGITS': 'environment',
    'REST_AUTH.USE_JWT': 'file',
  })
})

test('nothing at all is a fine configuration', async () => {
  const { settings, origins } = await load({})
  expect(settings.PORT).toBe(8000)
  expect(new Set(Object.values(origins))).toEqual(new Set(['default']))
})

test('the flat names that Django users write are fine in a file', async () => {
  const { settings } = await load({}, { [USUAL]: '{"ACCOUNT_EMAIL_VERIFICATION": "none"}' })
  expect(settings.ACCOUNT.EMAIL_VERIFICATION).toBe('none')
})

test('a script can be the config file', async () => {
  const script = 'export default { PORT: 4000 + 242, SIMPLE_JWT: { LEEWAY: "5s" } }'
  for (const name of ['latchkey.config.js', 'latchkey.config.mjs']) {
    const { settings } = await load({}, { [name]: script })
    expect(settings).toMatchObject({ PORT: 4242, SIMPLE_JWT: { LEEWAY: 5 * SECOND } })
  }
})

test('two files with usual names are refused, unless one of them is named', async () => {
  const both = { [USUAL]: '{"PORT": 1}', 'latchkey.config.js': 'export default { PORT: 2 }' }
  await expect(load({}, both)).rejects.toThrow(
    'config file: both latchkey.config.json and latchkey.config.js exist; keep one of them, or name one with --config',
  )
  const { settings } = await load({ file: 'latchkey.config.js' }, both)
  expect(settings.PORT).toBe(2)
})

test('a file with a byte order mark is read', async () => {
  expect((await load({}, { [USUAL]: '\uFEFF{"PORT": 1}' })).settings.PORT).toBe(1)
})

test('a name may come again in another object, and as a value', async () => {
  const text = String.raw`{
    "HOST": "PORT\": {", "PORT": 1, "SITE_NAME": "}",
    "USER_FIELDS": { "a": { "type": "string" }, "b": { "type": "string", "choices": ["type"] } }
  }`
  const { settings } = await load({}, { [USUAL]: text })
  expect(settings).toMatchObject({ HOST: 'PORT": {', PORT: 1 })
})

test('the file that is asked for is used instead of the usual one', async () => {
  const files = { [USUAL]: '{"PORT": 1}', 'other.json': '{"PORT": 2}', 'third.json': '{"PORT": 3}' }
  const env = { LATCHKEY_CONFIG: 'other.json' }
  expect((await load({ env }, files)).settings.PORT).toBe(2)
  expect((await load({ env, file: 'third.json' }, files)).settings.PORT).toBe(3)
  expect((await load({ env: { LATCHKEY_CONFIG: '' } }, files)).settings.PORT).toBe(1)
})

test.each<[problem: string, files: Record<string, string>, file: string | undefined, says: string]>(
  [
    ['that does not exist', {}, 'gone.json', 'config file gone.json: does not exist'],
    ['without a name', {}, '', 'config file: --config names no file'],
    ['that is a folder', {}, '.', 'config file .: cannot be read (EISDIR)'],
    [
      'that is not JSON',
      { [USUAL]: '{\n  "SECRET_KEY": "hunter2"\n  "PORT": 1\n}' },
      undefined,
      'config file latchkey.config.json: is not valid JSON (line 3, column 3)',
    ],
    [
      'that is not JSON from the start',
      { [USUAL]: 'hunter2' },
      undefined,
      'config file latchkey.config.json: is not valid JSON',
    ],
    [
      'that names a group twice',
      { [USUAL]: '{"REST_AUTH": {"USE_JWT": true}, "REST\\u005fAUTH" : {}}' },
      undefined,
      'config file latchkey.config.json: names REST_AUTH twice',
    ],
    [
      'that names a setting of a group twice',
      { [USUAL]: '{"REST_AUTH": {"USE_JWT": true, "USE_JWT": false}}' },
      undefined,
      'config file latchkey.config.json: names USE_JWT twice',
    ],
    [
      'that holds a list',
      { [USUAL]: '[]' },
      undefined,
      'config file latchkey.config.json: it must be an object with settings',
    ],
    [
      'that is a script and throws',
      { 'a.js': 'throw new Error("no luck\\ntoday")' },
      'a.js',
      'config file a.js: cannot be run: Error: no luck',
    ],
    [
      'that is a script and exports nothing',
      { 'b.mjs': 'export const settings = {}' },
      'b.mjs',
      'config file b.mjs: its default export must be an object with settings',
    ],
  ],
)('a config file %s is one line among the mistakes', async (_, files, file, says) => {
  const env = { PORT: 'many' }
  await expect(load({ file, env }, files)).rejects.toThrow(
    `${says}\nPORT (environment): got "many", expected a whole number from 0 to 65535`,
  )
})

test('mistakes say which of the sources they are in', async () => {
  const files = { 'my.json': '{"PORT": "many", "NONSENSE": 1}' }
  const env = { REST_AUTH_USE_JWT: 'maybe', ACCOUNT_EMAIL_VERIFICATON: 'none' }
  const sets = ['HOST=', 'REST_AUTH.TOKEN_MODEL=jwt', 'REST_AUTH.USEJWT=1', 'hunter2', '=hunter2']
  const loading = load({ file: 'my.json', env, sets }, files)
  await expect(loading).rejects.toMatchObject({
    name: 'SettingsError',
    mistakes: [
      'NONSENSE (my.json): no such setting',
      'ACCOUNT_EMAIL_VERIFICATON (environment): no such setting; did you mean ACCOUNT_EMAIL_VERIFICATION?',
      'REST_AUTH.USEJWT (--set): no such setting; did you mean REST_AUTH.USE_JWT?',
      '--set: expected NAME=value or GROUP.NAME=value',
      '--set: expected NAME=value or GROUP.NAME=value',
      'HOST (--set): got "", expected text',
      'PORT (my.json): got "many", expected a whole number from 0 to 65535',
      'REST_AUTH.USE_JWT (environment): got "maybe", expected true or false',
      'REST_AUTH.TOKEN_MODEL (--set): got "jwt", expected token',
    ],
  })
})

test('variables of others are ignored, and an empty one counts as not set', async () => {
  const env = { HOME: '/', ACCOUNTS: 'x', REST: 'y', ACCOUNT_WHATEVER: '', PORT: '' }
  expect((await load({ env })).settings.PORT).toBe(8000)
})

test('an absent value is written as none in the environment', async () => {
  const env = { REST_AUTH_TOKEN_MODEL: 'none', MODULES: 'none' }
  const { settings } = await load({ env })
  expect(settings.REST_AUTH.TOKEN_MODEL).toBeNull()
  expect(settings.MODULES).toEqual([])
})

test('lists and objects can be given as text', async () => {
  const env = {
    CSRF_TRUSTED_ORIGINS: 'https://a.example, https://b.example',
    ACCOUNT_LOGIN_METHODS: '["email"]',
    SOCIALACCOUNT_PROVIDERS: '{"google": {"APP": {"client_id": "id", "secret": "s"}}}',
  }
  const { settings } = await load({ env })
  expect(settings).toMatchObject({
    CSRF_TRUSTED_ORIGINS: ['https://a.example', 'https://b.example'],
    ACCOUNT: { LOGIN_METHODS: ['email'] },
    SOCIALACCOUNT: { PROVIDERS: { google: { APP: { client_id: 'id', secret: 's' } } } },
  })
})

test('--set can reach into an object and leaves the rest unchanged', async () => {
  const file = '{"ACCOUNT": {"RATE_LIMITS": {"reset_mail": "1/m/key"}}}'
  const { settings } = await load(
    {
      env: { SOCIALACCOUNT_PROVIDERS: '{"github": {"APP": {"client_id": "id"}}}' },
      sets: [
        'ACCOUNT.RATE_LIMITS.login_failed=5/m/key',
        'REST_FRAMEWORK.DEFAULT_THROTTLE_RATES.auth_service=5/m',
        'SOCIALACCOUNT.PROVIDERS.github.APP.secret=a=b',
      ],
    },
    { [USUAL]: file },
  )
  expect(settings.ACCOUNT.RATE_LIMITS).toMatchObject({
    login_failed: [{ count: 5, windowMs: MINUTE, per: 'key' }],
    reset_mail: [{ count: 1, windowMs: MINUTE, per: 'key' }],
    mfa_failed: [{ count: 10, windowMs: 15 * MINUTE, per: 'user' }],
  })
  expect(settings.REST_FRAMEWORK.DEFAULT_THROTTLE_RATES.auth_service).toEqual({
    count: 5,
    windowMs: MINUTE,
  })
  expect(settings.SOCIALACCOUNT.PROVIDERS).toEqual({
    github: { APP: { client_id: 'id', secret: 'a=b' } },
  })
})

test.each([
  ['PORT.deeper=1', 'PORT.deeper (--set): no such setting'],
  ['ACCOUNT.RATE_LIMITS.login_faild=1/m/ip', 'ACCOUNT.RATE_LIMITS (--set): got "login_faild"'],
  ['ACCOUNT.RATE_LIMITS.reset_mail.x=1', 'ACCOUNT.RATE_LIMITS.reset_mail (--set): got { x:'],
  ['ACCOUNT.RATE_LIMITS.__proto__.x=1', 'ACCOUNT.RATE_LIMITS (--set): got "__proto__"'],
])('--set %s is a mistake', async (set, says) => {
  await expect(load({ sets: [set] })).rejects.toThrow(says)
})

test('--set does not hide that the object it reaches into was malformed', async () => {
  const env = { ACCOUNT_RATE_LIMITS: '{"login_failed": ' }
  const sets = ['ACCOUNT.RATE_LIMITS.reset_mail=1/m/key']
  await expect(load({ env, sets })).rejects.toThrow('ACCOUNT.RATE_LIMITS (environment): got')
})

test('a mistake in a file is not blamed on --set alone', async () => {
  const file = '{"ACCOUNT": {"RATE_LIMITS": {"reset_mail": "often"}}}'
  const sets = ['ACCOUNT.RATE_LIMITS.login_failed=5/m/key']
  await expect(load({ sets }, { [USUAL]: file })).rejects.toThrow(
    'ACCOUNT.RATE_LIMITS.reset_mail (latchkey.config.json and --set): got "often"',
  )
})
