import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from '../../src/storage/migrations/all.ts'
import { newCli } from './support/cli.ts'

const names = migrations.map(({ name }) => name)

test('migrate names what it ran, and then that nothing was due', async () => {
  const { run } = await newCli()
  expect(await run(['migrate'])).toEqual({ code: 0, stdout: `${names.join('\n')}\n`, stderr: '' })
  expect(await run(['migrate'])).toEqual({
    code: 0,
    stdout: 'The database is already up to date.\n',
    stderr: '',
  })
})

test('migrate tells programs the names as well', async () => {
  const { run } = await newCli()
  expect(JSON.parse((await run(['migrate', '--json'])).stdout)).toEqual({ migrations: names })
  expect(JSON.parse((await run(['migrate', '--json'])).stdout)).toEqual({ migrations: [] })
})

test('a database in memory is not migrated for nothing, and needs no mend', async () => {
  const { run } = await newCli()
  const env = { DATABASE_URL: 'sqlite::memory:', SECRET_KEY: 'x'.repeat(32) }
  expect(await run(['check'], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('every start makes it anew'),
  })
  expect(await run(['migrate'], { env })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('A database in memory ends with this command.'),
  })
})

const COMMANDS = [['serve'], ['migrate'], ['user', 'list']]

const WITH_WORKERS = ['serve', '--set=WORKERS=2']

test.each([...COMMANDS, WITH_WORKERS])(
  '%s %s says in one line that the file is no database',
  async (...words) => {
    const { run, cwd } = await newCli()
    await writeFile(join(cwd, 'data.db'), 'no database, but a text of some length '.repeat(50))
    const args = [...words.filter(Boolean), '--set', 'DATABASE_URL=sqlite:data.db']
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      `The database sqlite:${join(cwd, 'data.db')} cannot be used: file is not a database\n`,
    )
  },
)

test.each([['serve'], WITH_WORKERS, ['migrate'], ['user', 'list']])(
  '%s %s refuses a database without its key, and makes no new one',
  async (...words) => {
    const { run, file } = await newCli()
    await run(['migrate'])
    const key = join(dirname(file), 'secret.key')
    await rm(key)
    const { code, stdout, stderr } = await run(words.filter(Boolean))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^SECRET_KEY: .*secret\.key is missing, .*; restore that file .*\n$/)
    expect(existsSync(key)).toBe(false)
  },
)

test.each([
  ['user', 'create', '--username', 'ada'],
  ['user', 'list'],
])('%s %s refuses a database in memory, which would end with it', async (...words) => {
  const { run } = await newCli()
  expect(await run([...words, '--set', 'DATABASE_URL=sqlite::memory:'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'A database in memory ends with this command. Set DATABASE_URL to a file or a server.\n',
  })
})

test('a data folder that cannot be made is named in one line', async () => {
  const { run, cwd } = await newCli()
  await writeFile(join(cwd, 'latchkey-data'), 'a file where the folder should be')
  const { code, stderr } = await run(['serve'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^.*latchkey-data.*\n$/)
})

test('a database that cannot be opened is named in one line', async () => {
  const { run, cwd } = await newCli()
  const folder = join(cwd, 'folder')
  await mkdir(folder)
  const { code, stderr } = await run(['migrate', '--set', 'DATABASE_URL=sqlite:folder'])
  expect(code).toBe(1)
  expect(stderr).toBe(`The database sqlite:${folder} cannot be used: it is a folder\n`)
})

test.each(COMMANDS)('%s %s cannot reach a server, and hides its password', async (...words) => {
  const { run } = await newCli()
  const env = {
    DATABASE_URL: 'postgres://ada:a-secret@127.0.0.1:1/auth',
    SECRET_KEY: 'another secret that is long enough for a key',
  }
  const { code, stdout, stderr } = await run(words.filter(Boolean), { env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe(
    'The database postgres://ada:********@127.0.0.1:1/auth cannot be used: connect ECONNREFUSED 127.0.0.1:1\n',
  )
})

test('for a check, a file that is no database is a finding', async () => {
  const { run, cwd } = await newCli()
  await writeFile(join(cwd, 'data.db'), 'no database, but a text of some length '.repeat(50))
  const { code, stdout } = await run(['check', '--set', 'DATABASE_URL=sqlite:data.db'])
  expect(code).toBe(1)
  expect(stdout).toContain(
    `fix   database: sqlite:${join(cwd, 'data.db')} cannot be used: file is not a database. Make sure`,
  )
})

test('for a check, a database of a newer version is a finding, with what to do', async () => {
  const { run, inDatabase } = await newCli()
  await run(['migrate'])
  const add = sql`insert into latchkey_migrations values ('9999-later', '2030-01-01')`
  await inDatabase(({ db }) => add.execute(db))
  const { code, stdout } = await run(['check'])
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^fix {3}database: .* newer version of Latchkey \(9999-later\)\. Start that version, or restore a backup\.$/m,
  )
})

test.each([['serve'], ['migrate']])(
  '%s refuses a database of a newer version, and leaves it alone',
  async (command) => {
    const { run, inDatabase } = await newCli()
    await run(['migrate'])
    const add = sql`insert into latchkey_migrations values ('9999-later', '2030-01-01')`
    await inDatabase(({ db }) => add.execute(db))
    const { code, stdout, stderr } = await run([command])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^The database was migrated by a newer version.*9999-later.*\n$/)
  },
)

test('the OpenAPI document needs no database, and makes none', async () => {
  const { run, cwd } = await newCli()
  const env = {
    DATABASE_URL: 'postgres://ada:a-secret@127.0.0.1:1/auth',
    SECRET_KEY: 'another secret that is long enough for a key',
    PUBLIC_URL: 'https://id.example',
  }
  const { code, stdout, stderr } = await run(['openapi'], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: 'https://id.example/auth/' }],
    paths: { '/login/': { post: { operationId: 'login' } } },
  })
  expect(existsSync(join(cwd, 'latchkey-data'))).toBe(false)
})
