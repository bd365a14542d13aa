import { join } from 'node:path'
import Sqlite from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { newProject } from './new-project.ts'

test('new users, passwords and addresses go back, once', async () => {
  const { importing, exporting, run, rowOf, db } = await newProject()
  await importing('--accept-losses')
  const input = 'a new password of mine'
  await run(
    ['user', 'create', '--username', 'new', '--email', 'new@example.com', '--password-stdin'],
    { input },
  )
  await run(['user', 'set-password', 'first', '--password-stdin'], { input })
  expect((await exporting('--dry-run')).code).toBe(0)
  expect(rowOf('new')).toBeUndefined()

  const { stdout } = await exporting('--json')
  expect(JSON.parse(stdout)).toMatchObject({
    done: true,
    counts: { added: 1, password: 1 },
    kept: [],
    notes: [expect.stringContaining('argon2-cffi')],
  })
  expect(rowOf('new')).toMatchObject({
    email: 'new@example.com',
    is_active: 1,
    password: expect.stringMatching(/^argon2\$argon2id\$/),
  })
  expect(rowOf('first')).toMatchObject({ password: expect.stringMatching(/^argon2\$argon2id\$/) })
  const address = db
    .prepare('select * from account_emailaddress where email = ?')
    .get('new@example.com')
  expect(address).toMatchObject({ primary: 1, verified: 0 })

  expect(JSON.parse((await exporting('--json')).stdout)).toMatchObject({ counts: {} })
  const again = JSON.parse((await importing('--json', '--accept-losses')).stdout)
  expect(again.counts).toEqual({ unchanged: 9 })
})

test('an export for which there are no ids left is refused with a sentence', async () => {
  const { importing, exporting, run, rowOf, cwd } = await newProject()
  await importing('--accept-losses')
  const here = new Sqlite(join(cwd, 'latchkey-data', 'latchkey.db'))
  here.exec(`update sqlite_sequence set seq = 2147480000 where name = 'users'`)
  here.close()
  await run(['user', 'create', '--username', 'late', '--email', 'late@example.com'])
  const { code, stderr } = await exporting()
  expect(code).toBe(1)
  expect(stderr).toContain('Move the project to PostgreSQL, where an export needs none.')
  expect(rowOf('late')).toBeUndefined()
})

test('a database with few of the imported users counts as the wrong one', async () => {
  const { importing, db, run } = await newProject()
  await importing('--accept-losses')
  db.exec('delete from auth_user where id > 9')
  const refused = await importing()
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('this may be the wrong database')
  expect((await run(['user', 'show', 'owner'])).code).toBe(0)

  expect((await importing('--accept-losses')).code).toBe(0)
  expect((await run(['user', 'show', 'owner'])).code).toBe(1)
})

test('what changed there, too, is kept there', async () => {
  const { importing, exporting, run, rowOf, db } = await newProject()
  await importing('--accept-losses')
  await run(['user', 'set-password', 'ada', '--password-stdin'], {
    input: 'a new password of mine',
  })
  db.exec(`update auth_user set password = 'changed there' where username = 'ada'`)
  const { stdout } = await exporting('--json')
  expect(JSON.parse(stdout)).toMatchObject({
    kept: [{ pk: '7', what: 'password', why: 'it has changed there, too' }],
  })
  expect(rowOf('ada')).toMatchObject({ password: 'changed there' })
})

test('an export from a database that nothing was imported into is refused', async () => {
  const { exporting } = await newProject()
  const { code, stderr } = await exporting()
  expect(code).toBe(1)
  expect(stderr).toContain('Is DATABASE_URL the right one?')
})

const TAKEN = 'another user there has the same username, address or pk'

test('what the project refuses is told, and the rest goes back', async () => {
  const { importing, exporting, run, rowOf, db } = await newProject()
  await importing('--accept-losses')
  const input = 'a new password of mine'
  const create = (name: string) =>
    run(
      ['user', 'create', '--username', name, '--email', `${name}@example.com`, '--password-stdin'],
      {
        input,
      },
    )
  const [taken, fine] = [await create('taken'), await create('fine')]
  db.exec(`insert into auth_user select 500, password, null, 0, 'taken', '', '', '', 0, 1,
    date_joined, '' from auth_user where id = 7`)
  await run(['user', 'delete', 'owner', '--yes'])
  const { code, stdout } = await exporting('--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    counts: { added: 1 },
    kept: [
      { pk: taken.stdout.trim(), what: 'user', why: TAKEN },
      { pk: '11', what: 'user', why: 'was deleted here' },
    ],
  })
  expect(rowOf('fine')).toMatchObject({ id: Number(fine.stdout) })
  expect(rowOf('taken')).toMatchObject({ id: 500 })
})

test('an export that was killed before it noted a user adds nobody twice', async () => {
  const { importing, exporting, run, rowOf, cwd, db } = await newProject()
  await importing('--accept-losses')
  const options = ['--username', 'new', '--email', 'new@example.com', '--password-stdin']
  await run(['user', 'create', ...options], { input: 'a new password of mine' })
  await exporting()
  const here = new Sqlite(join(cwd, 'latchkey-data', 'latchkey.db'))
  onTestFinished(() => void here.close())
  here.exec('delete from django_users where user_id > 14')
  expect(JSON.parse((await exporting('--json')).stdout)).toMatchObject({ kept: [] })
  expect(JSON.parse((await exporting('--json')).stdout)).toMatchObject({ counts: {}, kept: [] })
  expect(rowOf('new')).toMatchObject({ email: 'new@example.com' })
  expect(db.prepare('select * from auth_user').all([])).toHaveLength(9)
})
