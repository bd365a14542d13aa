import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newCli } from '../cli/support/cli.ts'
import { inDatabase, newMover, newSqlite, serveOn } from '../support/moves.ts'
import { createDatabase, onPostgres } from '../support/postgres.ts'
import { startAuth } from '../support/start-auth.ts'

const encodedAs = (encoding: string) =>
  createDatabase({ how: `encoding '${encoding}' template template0` })

describe.runIf(onPostgres)('a database that lacks characters', () => {
  const refusal = {
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^The database postgres:.* cannot be used: its encoding is LATIN1; Latchkey needs UTF8: createdb --encoding UTF8 --template template0\n$/,
    ),
  }
  const tablesIn = (url: string) =>
    inDatabase(url, async ({ db }) => {
      const { rows } = await sql`select 1 from pg_tables where schemaname = 'public'`.execute(db)
      return rows.length
    })

  test('is refused by every command, and stays empty', async () => {
    const { url } = await encodedAs('LATIN1')
    const { run } = await newCli()
    const env = { DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32) }
    for (const words of [['serve', '--set=PORT=0'], ['migrate'], ['user', 'list']]) {
      expect(await run(words, { env }), words.join(' ')).toEqual(refusal)
    }
    expect(await run(['check'], { env })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^fix {3}database: postgres:.* its encoding is LATIN1; /m),
    })
    expect(await tablesIn(url)).toBe(0)
  })

  test('is refused as the target of a move', async () => {
    const [from, { url }] = [await newSqlite(), await encodedAs('LATIN1')]
    const { stop } = await serveOn(from)
    await stop()
    const move = await newMover()
    expect(await move(from, url)).toEqual(refusal)
    expect(await tablesIn(url)).toBe(0)
  })

  test('is not one that keeps every byte', async () => {
    const { url } = await encodedAs('SQL_ASCII')
    const { createUser, findUser } = await startAuth({ DATABASE_URL: url })
    await createUser({ username: '日本' })
    expect(await findUser('日本')).toMatchObject({ username: '日本' })
  })
})

test.runIf(onPostgres)('a check fails where the service could not write', async () => {
  const role = `role_${randomBytes(8).toString('hex')}`
  const { url, operator } = await createDatabase({ role })
  const { run } = await newCli()
  const env = { DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32) }
  const check = () => run(['check'], { env })
  await run(['migrate'], { env })
  expect(await check()).toMatchObject({ code: 0 })

  await operator.query(`alter role ${role} set default_transaction_read_only = on`)
  expect(await check()).toMatchObject({ code: 1, stdout: expect.stringContaining('a stand-by') })

  await operator.query(`alter role ${role} reset default_transaction_read_only`)
  await operator.query('alter table limits owner to current_user')
  await operator.query(`grant select on limits to ${role}`)
  expect(await check()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('permission denied for table limits'),
  })
})

test.runIf(onPostgres)(
  'users are found without an extension that the role may not use',
  async () => {
    const role = `role_${randomBytes(8).toString('hex')}`
    const { url, operator } = await createDatabase({ role })
    await operator.query('create schema hidden')
    await operator.query('create extension pg_trgm schema hidden')
    const { auth, db, createUser } = await startAuth({ DATABASE_URL: url })
    const { rows } = await sql`select to_regclass('users_search') as found`.execute(db)
    expect(rows).toEqual([{ found: null }])
    await createUser({ username: 'ada' })
    await createUser({ username: 'bob' })
    const host = { kind: 'host', name: 'test', may: 'all' } as const
    for (const q of ['ada', 'a', 'da']) {
      const found = await auth.services.operations.call(host, 'users.find', { q })
      expect(found, q).toMatchObject({ results: [{ username: 'ada' }] })
    }
  },
)
