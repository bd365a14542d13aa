import { existsSync } from 'node:fs'
import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { ONCE } from '../../../server/test/cli/support/cli.ts'
import { vectors } from '../support/django-project.ts'
import { newProject } from './new-project.ts'

test('an import with losses fails, and says which', async () => {
  const { importing, run } = await newProject()
  const { code, stdout, stderr } = await importing()
  expect(code).toBe(1)
  expect(stdout).toContain('Users imported')
  expect(stdout).toContain('lost  12  password: a hash of an unknown kind; reset it')
  expect(stdout).toContain('The column phone is not imported. Declare it in USER_FIELDS.')
  expect(stderr).toContain('Not everything could be imported.')
  expect((await run(['user', 'show', 'ada'])).stdout).toContain('ada@example.com')
})

test('losses can be accepted, and programs get all of them', async () => {
  const { importing } = await newProject()
  const { code, stdout } = await importing('--accept-losses', '--json')
  expect(code).toBe(0)
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({ dry_run: false, done: true, lost: 5, kept: 0 })
  expect(report.findings).toHaveLength(5)
})

test('the audit says who imported a change', async () => {
  const { importing, run, db } = await newProject()
  await importing('--accept-losses')
  db.exec('update auth_user set is_superuser = 1 where id = 7')
  await importing('--accept-losses')
  const { stdout } = await run(['user', 'history', 'ada'])
  const line =
    /user_changed +cli grace +operator=grace host=console by=import fields=is_superuser$/m
  expect(stdout).toMatch(line)
})

test('the last active superuser is kept, unless --force is given', async () => {
  const { importing, run, db } = await newProject()
  const shown = async (...more: string[]) => (await importing('--accept-losses', ...more)).stdout
  const superusers = async () => (await run(['user', 'list', '--state', 'superuser'])).stdout
  db.exec('update auth_user set is_superuser = 1 where id = 7')
  await shown()
  db.exec('update auth_user set is_superuser = 0 where id = 7')
  expect(await shown()).toContain('kept  7  is_superuser: this is the last active superuser here; ')
  expect(await superusers()).toContain('ada')
  expect(await shown('--force')).toContain(', 0 kept as they are here.')
  expect(await superusers()).not.toContain('ada')
})

test('a dry run reports the same, and imports nothing', async () => {
  const { importing, run } = await newProject()
  const { stdout } = await importing('--dry-run', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ dry_run: true, counts: { added: 8 }, lost: 5 })
  expect((await run(['user', 'show', 'ada'])).code).toBe(1)
})

test.each([
  [['import', 'django', 'mysql://x'], 2, 'The database is sqlite:<file> or postgres://….'],
  [['import', 'django', 'mysql://x'], 2, 'Other databases cannot be read.'],
  [['import', 'django', 'db.sqlite3'], 2, 'Did you mean sqlite:db.sqlite3?'],
  [
    ['import', 'django', 'postgres://127.0.0.1:1/x?schema=auth'],
    2,
    'The database of the project: expected no parameter "schema": options=',
  ],
  [['import', 'django', 'sqlite:missing.db'], 1, 'There is no file'],
  [['import', 'django', 'sqlite:.'], 1, 'The database of the project cannot be used'],
  [
    ['import', 'django', 'postgres://127.0.0.1:1/x'],
    1,
    'The database of the project cannot be used',
  ],
  [['import', 'django', 'sqlite:db.sqlite3', '--user-app', 'people.Person'], 1, 'people_person'],
  [
    ['import', 'django', 'sqlite:db.sqlite3', '--set', 'USER_PK=uuid'],
    1,
    'set USER_PK to "integer"',
  ],
  [['import', 'django', 'sqlite:db.sqlite3', '--on-duplicate-username', 'x'], 2, 'keep-first'],
  [['import', 'django', 'sqlite:db.sqlite3', '--settings', 'missing.json'], 1, 'cannot be read'],
])('%j is refused with a sentence', async (args, code, words) => {
  const { run } = await newProject()
  const refused = await run(args)
  expect(refused.code).toBe(code)
  expect(refused.stderr).toContain(words)
})

test('the database can be named by a setting, so that its password is in no command line', async () => {
  const { run } = await newProject()
  const importing = (DJANGO_DATABASE_URL: string) =>
    run(['import', 'django', '--json', '--dry-run'], { env: { DJANGO_DATABASE_URL } })
  const { stdout } = await importing('sqlite:db.sqlite3')
  expect(JSON.parse(stdout)).toMatchObject({ counts: { added: 8 } })
  for (const place of ['127.0.0.1:1/x', 'nowhere.invalid/x']) {
    const failed = await importing(`postgres://django:hunter2@${place}`)
    expect(failed.code).toBe(1)
    expect(failed.stdout + failed.stderr).toContain('The database of the project cannot be used')
    expect(failed.stdout + failed.stderr).not.toContain('hunter2')
  }
  const missing = await run(['export', 'django'])
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('DJANGO_DATABASE_URL') })
  const shown = await run(['settings'], {
    env: { DJANGO_DATABASE_URL: 'postgres://django:hunter2@db/x' },
  })
  expect(shown.stdout).not.toContain('hunter2')
})

test('an import without the key, or with a wrong one, ends no session', async () => {
  const { importing, run, db } = await newProject()
  db.exec(`update django_session set expire_date = '2099-01-01 00:00:00'`)
  const losing = await importing('--accept-losses', '--json')
  expect(JSON.parse(losing.stdout)).toMatchObject({ counts: { sessions: 1 } })
  const sessions = async () => (await run(['user', 'sessions', 'ada', '--json'])).stdout
  const before = await sessions()

  const keyless = await run(['import', 'django', 'sqlite:db.sqlite3', '--accept-losses'])
  expect(keyless.stdout).toContain('Sessions are not imported. Set DJANGO_SECRET_KEY')
  expect(await sessions()).toBe(before)

  const wrong = ['--settings', '{"SECRET_KEY": "of another project"}']
  const refused = await run(['import', 'django', 'sqlite:db.sqlite3', ...wrong])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('The given SECRET_KEY has signed none of the sessions')
  expect(await sessions()).toBe(before)

  await run(['import', 'django', 'sqlite:db.sqlite3', ...wrong, '--accept-losses'])
  expect(await sessions()).not.toBe(before)
})

test('recovery codes are read with the settings of the app that made them', async () => {
  const { run, db, serve } = await newProject()
  const seeded = JSON.stringify({ seed: '0f'.repeat(40), used_mask: 0 })
  const app = JSON.stringify({ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' })
  db.exec(`update auth_user set password = '${vectors.passwordHash}' where id = 13;
    insert into mfa_authenticator values (5, 'totp', '${app}', 7, '2029-01-01 00:00:00', null);
    insert into mfa_authenticator values (6, 'recovery_codes', '${seeded}', 7, '2029-01-01 00:00:00', null)`)
  const settings = { MFA_RECOVERY_CODE_DIGITS: 9, REST_AUTH: { MFA_RECOVERY_CODE_COUNT: 16 } }
  const options = ['--settings', JSON.stringify(settings), '--accept-losses']
  expect((await run(['import', 'django', 'sqlite:db.sqlite3', ...options])).code).toBe(0)

  const { url } = await serve()
  const post = async (path: string, body: object) => {
    const headers = { ...ONCE, 'content-type': 'application/json' }
    return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const verify = async (username: string, code: string) => {
    const login = await post('login/', { username, password: vectors.password })
    const { ephemeral_token } = (await login.json()) as { ephemeral_token: string }
    return (await post('mfa/verify/', { ephemeral_token, code })).status
  }
  // The first of allauth's codes with nine digits, and the last of sixteen of dj-rest-auth.
  expect(await verify('ada', '456444510')).toBe(200)
  expect(await verify('own', 'b0f4-2b80')).toBe(200)
})

test('the report tells what the settings forget', async () => {
  const { importing, db } = await newProject()
  const notes = async (...more: string[]): Promise<string[]> =>
    JSON.parse((await importing('--dry-run', '--json', ...more)).stdout).notes
  const links = 'Links in mails of the project do not work here. Set DJANGO_SECRET_KEY.'
  expect(await notes()).toContain(links)
  expect(await notes('--set', `DJANGO_SECRET_KEY=${vectors.secretKey}`)).not.toContain(links)

  db.exec('create table token_blacklist_outstandingtoken (id integer, user_id integer)')
  const refused = 'JSON Web Tokens of the project are refused here.'
  const jwt = ['--set', 'REST_AUTH.USE_JWT=true']
  const signed = ['--set', `SIMPLE_JWT.SIGNING_KEY=${vectors.secretKey}`]
  expect(await notes()).toContain(`${refused} Set REST_AUTH.USE_JWT.`)
  expect(await notes(...jwt)).toContainEqual(expect.stringContaining(`${refused} Set SIMPLE_JWT`))
  expect(await notes(...jwt, ...signed)).not.toContainEqual(expect.stringContaining(refused))

  const elsewhere = { SESSION_ENGINE: 'django.contrib.sessions.backends.signed_cookies' }
  expect(await notes('--settings', JSON.stringify(elsewhere))).toContainEqual(
    expect.stringContaining('does not store its sessions in the database'),
  )
})

test('the database of the project is not used for Latchkey', async () => {
  const { importing, db } = await newProject()
  const { code, stderr } = await importing('--set', 'DATABASE_URL=sqlite:db.sqlite3')
  expect(code).toBe(1)
  expect(stderr).toContain('DATABASE_URL is the database of the Django project, but')
  const made = db.prepare(`select name from sqlite_master where name = 'latchkey_migrations'`).get()
  expect(made).toBeUndefined()
})

test('a dry run needs no database of its own', async () => {
  const { importing } = await newProject()
  const memory = ['--set', 'DATABASE_URL=sqlite::memory:']
  const { stdout } = await importing('--dry-run', '--json', ...memory)
  expect(JSON.parse(stdout)).toMatchObject({ dry_run: true, counts: { added: 8 } })
  expect((await importing(...memory)).stderr).toContain('A database in memory ends')
})

test('a dry run does not call a database missing that it cannot open', async () => {
  const { importing, cwd } = await newProject()
  await symlink('round', join(cwd, 'round'))
  const { stdout, stderr } = await importing('--dry-run', '--set', 'DATABASE_URL=sqlite:round/a.db')
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('This user cannot open ')])
})

test('a dry run writes nowhere near the database, so that a service can go on writing', async () => {
  const { importing, run, cwd } = await newProject()
  await importing('--dry-run')
  expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)

  await importing('--accept-losses')
  const folder = join(cwd, 'latchkey-data')
  const beside = new Sqlite(join(folder, 'latchkey.db'))
  onTestFinished(() => void beside.close())
  // Another process writes all the time.
  beside.exec('begin immediate')
  const { stdout } = await importing('--dry-run', '--json', '--accept-losses')
  beside.exec('rollback')
  expect(JSON.parse(stdout)).toMatchObject({ dry_run: true, counts: { unchanged: 8 } })
  expect((await readdir(folder)).filter((name) => name.startsWith('dry-run'))).toEqual([])
  expect((await run(['user', 'show', 'ada'])).code).toBe(0)
})
