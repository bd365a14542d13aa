import { symlink } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { hasTable } from '../../../src/storage/has-table.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { migrations } from '../../../src/storage/migrations/all.ts'
import {
  endLeases,
  inDatabase,
  newMover,
  newSqlite,
  newTarget,
  serveOn,
} from '../../support/moves.ts'
import { onPostgres } from '../../support/postgres.ts'

const refused = (words: string) => ({
  code: 1,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^${words}[^\n]*\n$`)),
})

const TABLES = ['latchkey_migrations', 'latchkey_move', 'users']

const tablesOf = (url: string) =>
  inDatabase(url, async (connection) => {
    const there = await Promise.all(TABLES.map((name) => hasTable(connection, name)))
    return TABLES.filter((_, i) => there[i])
  })

test('a source in use is refused, and one that was killed counts for a while', async () => {
  const [from, to] = [await newTarget(), await newSqlite()]
  const move = await newMover()
  const { stop, request, createUser } = await serveOn(from)
  const ada = await createUser({ username: 'ada' })
  expect(await move(from, to)).toEqual(refused('A service uses the source\\. Stop it first'))
  expect(await tablesOf(to)).toEqual([])
  // It has not noticed anything.
  expect((await request.post('login/', { username: 'ada', password: 'wrong' })).status).toBe(400)
  await stop()

  // A service that was killed leaves its row behind.
  const now = Date.now()
  await inDatabase(from, ({ db }) =>
    db
      .insertInto('latchkey_instances')
      .values({ id: 'killed', role: 'service', frozen: 0, lease_until: now + 20_000 })
      .execute(),
  )
  expect(await move(from, to)).toEqual(refused('A service uses the source\\.'))
  await endLeases(from, 'service')
  expect(await move(from, to)).toMatchObject({ code: 0 })
  const there = await serveOn(to)
  expect(await there.findUser('ada')).toEqual(ada)
})

test('a target with a user, in use, or with a foreign table of that name is refused', async () => {
  const [from, to] = [await newSqlite(), await newTarget()]
  const move = await newMover()
  const { stop } = await serveOn(from)
  await stop()
  const there = await serveOn(to)
  expect(await move(from, to)).toEqual(refused('A service uses the target\\.'))
  await there.createUser({ username: 'bob' })
  await there.stop()
  expect(await move(from, to)).toEqual(refused('The target has users already\\.'))

  const foreign = await newTarget()
  await inDatabase(foreign, ({ db }) => sql`create table users (a text)`.execute(db))
  expect(await move(from, foreign)).toEqual(
    refused('The target has a table "users" of another program\\.'),
  )
  expect(await tablesOf(foreign)).toEqual(expect.not.arrayContaining(['latchkey_move']))
})

test('a target without a user is emptied, and its sequences are those of the source', async () => {
  const [from, to] = [await newSqlite(), await newTarget()]
  const move = await newMover()
  const source = await serveOn(from)
  await source.createUser({ username: 'ada' })
  await source.stop()
  const before = await serveOn(to)
  for (const username of ['one', 'two', 'three']) {
    await before.administration.remove(await before.createUser({ username }))
  }
  await before.stop()
  await inDatabase(to, ({ db }) => sql`create table other_things (a text)`.execute(db))
  expect(await move(from, to)).toMatchObject({ code: 0 })
  const there = await serveOn(to)
  expect((await there.createUser({ username: 'next' })).id).toBe(2)
})

test('two movers do not write into one target', async () => {
  const [from, to] = [await newSqlite(), await newTarget()]
  const move = await newMover()
  await (await serveOn(from)).stop()
  await inDatabase(to, async ({ db }) => {
    await sql`create table latchkey_move (id integer primary key)`.execute(db)
    // What the other one does. In the same process it would hold the file, too.
    if (!onPostgres) return
    await db.transaction().execute(async (other) => {
      await sql`lock table latchkey_move in exclusive mode`.execute(other)
      expect(await move(from, to)).toEqual(refused('Another program writes to the target'))
    })
  })
  expect(await move(from, to)).toMatchObject({ code: 0 })
})

test('a source without our tables, or of an older version, is refused', async () => {
  const [from, to] = [await newTarget(), await newSqlite()]
  const move = await newMover()
  await inDatabase(from, ({ db }) => sql`create table other_things (a text)`.execute(db))
  expect(await move(from, to)).toEqual(refused('The source has no tables of Latchkey'))
  await inDatabase(from, (connection) => migrate(connection, migrations.slice(0, -1), 0))
  expect(await move(from, to)).toEqual(
    refused(
      'The source is not up to date \\(missing: .*\\)\\. Run "latchkey migrate" on it first\\.',
    ),
  )
  expect(await tablesOf(to)).toEqual([])
})

test('a wrong line says what is wrong, and never repeats a password', async () => {
  const [from, to] = [await newSqlite(), await newTarget()]
  const move = await newMover()
  await (await serveOn(from)).stop()
  const wrong = async (one: string, other: string, ...options: string[]) => {
    const { code, stdout, stderr } = await move(one, other, ...options)
    expect(stdout).toBe('')
    expect(stderr).not.toMatch(/a-secret|\n {4}at /)
    return `${code} ${stderr.split('\n')[0]}`
  }
  expect(await wrong('mysql://u:a-secret@h/d', to)).toMatch(
    /^2 <from url>: expected sqlite:<file> or/,
  )
  expect(await wrong(from, 'postgres://u:a-secret@h/d?schema=auth')).toBe(
    '2 <to url>: expected no parameter "schema": options=-c%20search_path%3D<schema> names a schema.',
  )
  expect(await wrong(from, 'sqlite::memory:')).toMatch(/^2 <to url>: a database in memory/)
  expect(await wrong(from, from)).toBe('2 Source and target are the same database.')
  const spelt = ['postgres://u:a-secret@localhost/d', 'postgresql://u@LOCALHOST:5432/d'] as const
  expect(await wrong(...spelt, '--check')).toBe('2 Source and target are the same database.')
  expect(await wrong(`${from}.gone`, to)).toMatch(/^1 The source .* does not exist\.$/)
  expect(await wrong(from, `${from}.gone`, '--check')).toMatch(/^1 The target .* does not exist\.$/)
  const round = `${from.slice('sqlite:'.length)}.round`
  await symlink(round, round)
  expect(await wrong(`sqlite:${round}`, to)).toBe(`1 This user cannot open ${round} (ELOOP).`)
  expect(await wrong(from, to, '--check', '--read-only')).toMatch(/^2 --check copies nothing/)
  expect(await wrong(from, to, 'third')).toBe('2 "move" takes only one <to url>.')
  expect(await wrong(from, 'postgres://u:a-secret@127.0.0.1:1/d')).toMatch(
    /^1 The database postgres:\/\/.*@127.0.0.1:1\/d cannot be used: /,
  )
  expect(await wrong(from, `sqlite:${from.slice(7)}/below/latchkey.db`)).toMatch(/^1 .* cannot be /)
})
