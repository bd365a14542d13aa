import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const CREATE = ['user', 'create', '--username', 'ada']

test('a user is created before the first start, and only the pk is printed', async () => {
  const { createAda, run } = await newCli()
  expect(await createAda('--email', 'Ada@Example.com', '--verified')).toEqual({
    code: 0,
    stdout: '1\n',
    stderr: '',
  })
  expect(JSON.parse((await run(['user', 'list', '--json'])).stdout)).toEqual([
    {
      pk: 1,
      username: 'ada',
      email: 'ada@example.com',
      first_name: '',
      last_name: '',
      email_verified: true,
      is_active: true,
      is_staff: false,
      is_superuser: false,
      groups: [],
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      language: null,
      last_login: null,
      has_password: true,
      mfa: false,
    },
  ])
})

test('programs get the whole user, without the password', async () => {
  const { createAda } = await newCli()
  const { stdout } = await createAda('--inactive', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ pk: 1, username: 'ada', email: '', is_active: false })
  expect(stdout).not.toMatch(/argon2|a-good-password/)
})

test.each([
  ['a-good-password', 'a-good-password'],
  ['a-good-password\n', 'a-good-password'],
  ['a-good-password\r\n', 'a-good-password'],
  [' spaces count \n\n', ' spaces count \n'],
  ['pâsswörd ✓', 'pâsswörd ✓'],
])('the password %j logs in as %j', async (input, password) => {
  const { run, serve } = await newCli()
  const { code } = await run([...CREATE, '--password-stdin'], { input })
  expect(code).toBe(0)
  const { logIn } = await serve()
  expect((await logIn({ username: 'ada', password })).status).toBe(200)
  expect((await logIn({ username: 'ada', password: `${password}\n` })).status).toBe(400)
})

test.each([
  ['', 'password: This field may not be blank.'],
  ['\n', 'password: This field may not be blank.'],
  ['a\0b', 'password: Null characters are not allowed.'],
  ['x'.repeat(129), 'password: Ensure this field has no more than 128 characters.'],
  [Buffer.from([0x61, 0xff]), 'The password is not valid UTF-8.'],
])('the password %j is refused', async (input, message) => {
  const { run, cwd } = await newCli()
  const result = await run([...CREATE, '--password-stdin'], { input })
  expect(result).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
  expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
})

test('a user without a password cannot log in, and the command says so', async () => {
  const { run, serve } = await newCli()
  const { code, stdout, stderr } = await run(CREATE)
  expect({ code, stdout }).toEqual({ code: 0, stdout: '1\n' })
  expect(stderr).toBe(
    'ada has no password yet. To set one, run "latchkey user set-password ada --password-stdin".\n',
  )
  const { logIn } = await serve()
  expect((await logIn({ username: 'ada', password: '!' })).status).toBe(400)
})

test('all bad fields are reported, one per line', async () => {
  const { run, cwd } = await newCli()
  const long = 'a'.repeat(151)
  const args = ['user', 'create', '--username', long, '--email', 'nobody', '--password-stdin']
  expect(await run(args)).toEqual({
    code: 1,
    stdout: '',
    stderr: [
      'username: Ensure this field has no more than 150 characters.',
      'email: Enter a valid email address.',
      'password: This field may not be blank.\n',
    ].join('\n'),
  })
  expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
})

test('a name and an address that are taken are refused, and nothing is created', async () => {
  const { createAda, run } = await newCli()
  await createAda('--email', 'ada@example.com')
  expect(await run(['user', 'create', '--username', 'ADA', '--email', 'ADA@example.com'])).toEqual({
    code: 1,
    stdout: '',
    stderr: [
      'username: A user with that username already exists.',
      'email: User is already registered with this e-mail address.\n',
    ].join('\n'),
  })
  expect(JSON.parse((await run(['user', 'list', '--json'])).stdout)).toHaveLength(1)
})

test('a username with other characters is refused', async () => {
  const { run } = await newCli()
  const { code, stderr } = await run(['user', 'create', '--username', 'a b'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^username: Enter a valid username\..*\n$/)
})

test('many users may have no address', async () => {
  const { run } = await newCli()
  expect((await run(['user', 'create', '--username', 'ada'])).code).toBe(0)
  expect((await run(['user', 'create', '--username', 'bob'])).code).toBe(0)
})

test.each([['list'], ['show', 'ada'], ['activate', 'ada'], ['delete', 'ada', '--yes']])(
  'user %s makes no database, but says how',
  async (...words) => {
    const { run, cwd, file } = await newCli()
    expect(await run(['user', ...words])).toEqual({
      code: 1,
      stdout: '',
      stderr: `The database ${file} does not exist yet. Run "latchkey migrate" first.\n`,
    })
    expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
  },
)

test('user commands leave migrations that are due to "migrate"', async () => {
  const { createAda, run, inDatabase } = await newCli()
  await createAda()
  await inDatabase(({ db }) => sql`delete from latchkey_migrations`.execute(db))
  const { code, stdout, stderr } = await run(['user', 'show', 'ada'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(
    /^The database is not up to date \(missing: 0001-accounts.*\)\. Run "latchkey migrate" first\.\n$/,
  )
})

test('a user begins with names and groups, and the audit says why', async () => {
  const { run } = await newCli()
  const names = ['--first-name', 'Ada', '--last-name', 'Lovelace']
  await run([...CREATE, ...names, '--group', 'editors', '--group', 'ops', '--reason', 'Ticket 17'])
  const user = JSON.parse((await run(['user', 'show', 'ada', '--json'])).stdout)
  expect(user).toMatchObject({
    first_name: 'Ada',
    last_name: 'Lovelace',
    groups: ['editors', 'ops'],
    history: [{ event: 'user_created', details: { reason: 'Ticket 17' } }],
  })
})
