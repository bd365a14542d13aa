import { existsSync } from 'node:fs'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const ALL_GOOD = /^(ok {4}.*\n)+$/

test('a new folder has no findings, and stays empty', async () => {
  const { run, cwd } = await newCli()
  const { code, stdout, stderr } = await run(['check'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(ALL_GOOD)
  expect(stdout).toContain('the first start creates it')
  expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
})

test('a database that is up to date has no findings', async () => {
  const { run } = await newCli()
  await run(['migrate'])
  const { code, stdout } = await run(['check'])
  expect(code).toBe(0)
  expect(stdout).toMatch(ALL_GOOD)
  expect(stdout).toContain('migrations: the database is up to date')
})

test('missing migrations are a finding, and are not run', async () => {
  const { run, inDatabase } = await newCli()
  await run(['migrate'])
  await inDatabase(({ db }) => sql`delete from latchkey_migrations`.execute(db))
  for (const _ of ['once', 'again']) {
    const { code, stdout, stderr } = await run(['check'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '1 finding.\n' })
    expect(stdout).toMatch(/^fix {3}migrations: .* missing: 0001-accounts.*latchkey migrate/m)
  }
})

test('a data folder and a secret key that others can read are findings', async () => {
  const { run, file } = await newCli()
  await run(['migrate'])
  await chmod(dirname(file), 0o755)
  await chmod(join(dirname(file), 'secret.key'), 0o644)
  const { code, stdout, stderr } = await run(['check'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '2 findings.\n' })
  expect(stdout).toMatch(/^fix {3}data folder: other users .*mode 700\.$/m)
  expect(stdout).toMatch(/^fix {3}secret key: other users .*chmod 600/m)
})

test('an empty file is no database that needs a lost secret key', async () => {
  const { run, file } = await newCli()
  await mkdir(dirname(file), { mode: 0o700 })
  await writeFile(file, '', { mode: 0o600 })
  const { code, stdout, stderr } = await run(['check'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '1 finding.\n' })
  expect(stdout).toMatch(/^ok {4}secret key: .*the first start creates it$/m)
  expect(stdout).toMatch(/^fix {3}migrations: /m)
})

test('own letters with a link among other words are findings', async () => {
  const { run, cwd } = await newCli()
  const folder = join(cwd, 'letters')
  await mkdir(join(folder, 'de'), { recursive: true })
  const letters = {
    'reset-password.txt':
      'Open\n\nhttps://app.example/{uid}/{token}\n\nor https://example.com/help.',
    'verify-email.txt': 'Enter {key} there.',
    'invitation.txt': 'Open {link} to join.',
    'de/reset-password.txt': 'Hier:\nhttps://app.example/{uid}/{token}',
  }
  for (const [name, body] of Object.entries(letters)) {
    await writeFile(join(folder, name), `Subject: x\n\n${body}\n`)
  }
  const env = { EMAIL_TEMPLATES_DIR: folder, LANGUAGES: '["en", "de"]' }
  const { code, stdout } = await run(['check'], { env })
  expect(code).toBe(1)
  const named = [...stdout.matchAll(/^fix {3}EMAIL_TEMPLATES_DIR: (\S+) has its link among/gm)]
  expect(named.map(([, file]) => file)).toEqual(['invitation.txt', 'de/reset-password.txt'])
})

test('invitations by users that have no effect are a finding', async () => {
  const { run } = await newCli()
  const args = ['check', '--set', 'INVITATIONS_BY_USERS=true']
  const { code, stdout } = await run(args)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^fix {3}INVITATIONS_BY_USERS: has no effect, .* Set ACCOUNT\.SIGNUP to/m)
  expect(await run([...args, '--set', 'ACCOUNT.SIGNUP=invited'])).toMatchObject({ code: 0 })
})

test.each([
  ['user/', 'user/ would mean both login/ and user/'],
  ['{id}/x/', 'must have the same parts in braces'],
])(
  'routes that the start would refuse are refused before there is a database: %s',
  async (path, words) => {
    const { run, cwd } = await newCli()
    const routes = JSON.stringify({ 'login/': path })
    const { code, stdout } = await run(['check', '--set', `ROUTES=${routes}`])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^fix {3}settings: ROUTES: .* Correct it, /m)
    expect(stdout).toContain(words)
    expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
  },
)

test('good routes have no findings, and make no database', async () => {
  const { run, cwd } = await newCli()
  const { code } = await run(['check', '--set', 'ROUTES={"login/":"sign-in/"}'])
  expect(code).toBe(0)
  expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
})

test('a database that cannot be opened is not called missing', async () => {
  const { run, cwd } = await newCli()
  // A link in a circle, which nobody can open, not even root.
  await symlink('round', join(cwd, 'round'))
  const round = ['--set', 'DATABASE_URL=sqlite:round/latchkey.db']
  const words = `This user cannot open ${join(cwd, 'round', 'latchkey.db')} (ELOOP).`
  expect(await run(['user', 'list', ...round])).toEqual({
    code: 1,
    stdout: '',
    stderr: `${words}\n`,
  })
  const { code, stdout } = await run(['check', ...round])
  expect(code).toBe(1)
  expect(stdout).toContain(`fix   database: ${words} Make sure`)
})

test('a database that cannot be reached hides no other finding', async () => {
  const { run } = await newCli()
  const env = {
    DATABASE_URL: 'postgres://ada:a-secret@127.0.0.1:1/auth',
    SECRET_KEY: 'another text that is long enough for a key',
  }
  const { code, stdout, stderr } = await run(['check', '--deploy'], { env })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^\d+ findings\.\n$/)
  expect(stdout).toContain(
    'fix   database: postgres://ada:********@127.0.0.1:1/auth cannot be used: connect ECONNREFUSED 127.0.0.1:1. Make sure',
  )
  expect(stdout).toMatch(/^fix {3}PUBLIC_URL: /m)
  const { ok, findings } = JSON.parse((await run(['check', '--json'], { env })).stdout)
  expect(ok).toBe(false)
  expect(findings).toContainEqual({
    about: 'database',
    says: expect.stringContaining('ECONNREFUSED'),
    mend: expect.stringContaining('DATABASE_URL'),
  })
})

test('a database in a folder of another user is not called missing', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root can open every folder.')
  const { run, file } = await newCli()
  await run(['migrate'])
  await chmod(dirname(file), 0)
  const { stdout } = await run(['check'])
  await chmod(dirname(file), 0o700)
  expect(stdout).toContain(`fix   database: This user cannot open ${file} (EACCES).`)
})

test('--deploy adds every unsafe setting and how to fix it', async () => {
  const { run } = await newCli()
  const { code, stdout, stderr } = await run(['check', '--deploy'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^\d+ findings\.\n$/)
  expect(stdout).toMatch(/^fix {3}PUBLIC_URL: .*https:.* also fixes SESSION_COOKIE_SECURE, /m)
  expect(stdout).not.toMatch(/^fix {3}SESSION_COOKIE_SECURE/m)
  expect((await run(['check'])).stdout).not.toContain('PUBLIC_URL')
})

test('--deploy has nothing to say about a safe configuration', async () => {
  const { run } = await newCli()
  const env = {
    PUBLIC_URL: 'https://id.example',
    EMAIL_URL: 'smtps://mail.example',
    REST_AUTH_OLD_PASSWORD_FIELD_ENABLED: 'true',
    REST_AUTH_LOGOUT_ON_PASSWORD_CHANGE: 'true',
    ACCOUNT_REAUTHENTICATION_REQUIRED: 'true',
    REST_FRAMEWORK_DEFAULT_THROTTLE_RATES: '{"auth_service": "60/m"}',
    REST_FRAMEWORK_NUM_PROXIES: '1',
  }
  const { code, stdout, stderr } = await run(['check', '--deploy'], { env })
  expect(stdout).toMatch(ALL_GOOD)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  // Advice, which not every proxy needs.
  expect(stdout).toMatch(/^ok {4}SHUTDOWN_DELAY: 0s; set it to 5 /m)
  const delayed = await run(['check', '--deploy'], { env: { ...env, SHUTDOWN_DELAY: '5' } })
  expect(delayed.stdout).not.toContain('SHUTDOWN_DELAY')
})

test('programs get the findings, good and bad', async () => {
  const { run } = await newCli()
  const good = JSON.parse((await run(['check', '--json'])).stdout)
  expect(good).toEqual({ ok: true, findings: expect.any(Array) })
  expect(good.findings).toContainEqual({
    about: 'database',
    says: expect.any(String),
    mend: null,
  })
  const bad = JSON.parse((await run(['check', '--deploy', '--json'])).stdout)
  expect(bad.ok).toBe(false)
  expect(bad.findings).toContainEqual({
    about: 'PUBLIC_URL',
    says: expect.any(String),
    mend: expect.any(String),
    also: expect.arrayContaining(['SESSION_COOKIE_SECURE']),
  })
})

test('keys that no request can use are a finding', async () => {
  const { run } = await newCli()
  const only = 'REST_FRAMEWORK.DEFAULT_AUTHENTICATION_CLASSES=session'
  const { code, stdout, stderr } = await run(['check', '--set', only])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '1 finding.\n' })
  expect(stdout).toMatch(/^fix {3}REST_FRAMEWORK.*does not name token.*Add token to the list/m)
  const without = [...['check', '--set', only], '--set', 'REST_AUTH.TOKEN_MODEL=none']
  expect((await run(without)).stdout).toMatch(ALL_GOOD)
})

test('--deploy reports superusers without a second factor, and keys that never expire', async () => {
  const { run, inDatabase } = await newCli()
  const env = { MODULES: '["mfa", "passkeys", "admin"]' }
  const create = ['user', 'create', '--superuser', '--username']
  for (const name of ['grace', 'ada']) expect((await run([...create, name], { env })).code).toBe(0)
  const columns = sql.raw('name, digest, scopes, created_by, created_at, expires_at')
  await inDatabase(({ db }) =>
    sql`insert into admin_keys (${columns}) values
      ('sync', 'a', '["read"]', 'grace', 0, null), ('report', 'b', '["read"]', 'grace', 0, 1)`.execute(
      db,
    ),
  )
  const findings = async (given = env) => {
    const { stdout } = await run(['check', '--deploy'], { env: given })
    return stdout.split('\n').filter((line) => /^fix {3}(superusers|admin keys)/.test(line))
  }
  expect(await findings()).toEqual([
    expect.stringMatching(
      /2 superusers have neither a second factor nor a passkey that opens the admin pages \(1, 2\)/,
    ),
    expect.stringMatching(/1 key never expires \(sync\)/),
  ])
  expect(await findings({ MODULES: '["mfa"]' })).toEqual([])

  await inDatabase(({ db }) =>
    sql`insert into totp_authenticators (user_id, sealed_secret, last_step, created_at)
      select id, 'x', 0, 0 from users`.execute(db),
  )
  await inDatabase(({ db }) => sql`delete from admin_keys`.execute(db))
  expect(await findings()).toEqual([])
})
