import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { withoutPassword } from '../../src/kernel/setting-kinds/scalars.ts'
import { loadSettings } from '../../src/settings/load.ts'
import { entries } from '../../src/settings/names.ts'
import { describeSettings } from '../../src/settings/resolve.ts'

async function rowsFor(sets: readonly string[]) {
  const rows = describeSettings(await loadSettings({ env: {}, sets, cwd: tmpdir() }))
  return new Map(rows.map((row) => [row.name, row]))
}

test('every setting is shown with its value, its origin and its line of documentation', async () => {
  const rows = await rowsFor(['REST_AUTH.USE_JWT=yes', 'SIMPLE_JWT.ACCESS_TOKEN_LIFETIME=90'])
  expect([...rows.keys()]).toEqual(entries.map(({ name }) => name))
  expect(rows.get('REST_AUTH.USE_JWT')).toEqual({
    name: 'REST_AUTH.USE_JWT',
    env: 'REST_AUTH_USE_JWT',
    value: 'true',
    origin: '--set',
    doc: 'Let logins answer with JSON Web Tokens: an access token and a refresh token.',
  })
  expect(rows.get('SIMPLE_JWT.ACCESS_TOKEN_LIFETIME')?.value).toBe('90s')
  expect(rows.get('REST_AUTH.JWT_AUTH_COOKIE')).toMatchObject({ value: 'none', origin: 'default' })
})

test('what is shown can be given back', async () => {
  const rows = await rowsFor([])
  expect(rows.get('ACCOUNT.RATE_LIMITS')?.value).toBe(
    '{"login_failed":"10/5m/key,100/10m/ip","mfa_failed":"10/15m/user","reset_mail":"3/15m/key,20/m/ip","verify_mail":"3/15m/key,20/m/ip","code_mail":"3/15m/key,20/m/ip","signup":"20/m/ip","passkey_begin":"60/m/ip","social":"60/m/ip","change_name":"10/h/user","notice_mail":"10/h/key","invitation_mail":"3/h/key,20/h/user"}',
  )
  expect(rows.get('MODULES')?.value).toBe('registration,social,mfa,passkeys,pages')
})

test.each([
  ['smtp://ada@a.example:x@mail.example:587', 'smtp://ada@a.example:********@mail.example:587'],
  ['smtp://a.example/ada:x@mail.example', 'smtp://a.example/ada:********@mail.example'],
  ['smtp://ada:x\ny@mail.example', 'smtp://ada:********@mail.example'],
  ['postgres://ada@a.example:x@a:5432,b/auth', 'postgres://ada@a.example:********@a:5432,b/auth'],
  [
    'postgres://ada@a.example:x@[::1]:5432/auth',
    'postgres://ada@a.example:********@[::1]:5432/auth',
  ],
  ['postgres+tls://:x@db/auth', 'postgres+tls://:********@db/auth'],
])('a user name with an @, or a text that is odd, shows no password: %j', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown)
})

test.each([
  'smtp://mail.example:587',
  'smtp://ada@a.example@mail.example:587',
  'postgres://ada@a:5432,b:5432/auth',
  'postgres://ada@[::1]:5432,[::2]:5432/auth',
  'sqlite:/srv/a:b@c/latchkey.db',
  'sqlite:///srv/a:b@c/latchkey.db',
  'file:///srv/a:b@c/mails',
])('%s has no password, and is shown as it is', (url) => {
  expect(withoutPassword(url)).toBe(url)
})

test('no secret is shown, but whether there is one is', async () => {
  const secret = 'hunter2-hunter2-hunter2-hunter2-hunter2'
  const rows = await rowsFor([
    `SECRET_KEY=${secret}`,
    `SECRET_KEY_FALLBACKS=${secret},x${secret}`,
    `SIMPLE_JWT.SIGNING_KEY=${secret}`,
    `DATABASE_URL=postgres://ada:${secret}@db:5432/latchkey?sslpassword=${secret}&sslmode=require`,
    `EMAIL_URL=smtp://ada:p@${secret}@mail.example.com:587`,
    `SOCIALACCOUNT.PROVIDERS.google.APP.secret=${secret}`,
  ])
  expect(JSON.stringify([...rows])).not.toContain('hunter2')
  expect(rows.get('SECRET_KEY')?.value).toBe('********')
  expect(rows.get('DATABASE_URL')?.value).toBe(
    'postgres://ada:********@db:5432/latchkey?sslpassword=********&sslmode=require',
  )
  expect(rows.get('EMAIL_URL')?.value).toBe('smtp://ada:********@mail.example.com:587')
  expect(rows.get('SOCIALACCOUNT.PROVIDERS')?.value).toBe('{"google":"********"}')
  expect((await rowsFor([])).get('SECRET_KEY')?.value).toBe('none')
})
