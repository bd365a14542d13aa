import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeTables, type MovedTable } from '../../../src/storage/move/describe-tables.ts'
import { readRows } from '../../../src/storage/move/rows.ts'
import { columnsOf } from '../../support/dump.ts'
import { inDatabase, newMover, newSqlite, newTarget, serveOn } from '../../support/moves.ts'
import { startPooler } from '../../support/pooler.ts'
import { onPostgres } from '../../support/postgres.ts'

/** What belongs to one database, and to no service. Everything else has to be carried. */
const STAYING = /^latchkey_(instances|locks|migration_lock|migrations|search(_\w+)?)$/

test('every column of every table is carried', async () => {
  const { db } = await serveOn(await newTarget())
  const found = (await columnsOf(db)).flatMap(({ table, column }) =>
    STAYING.test(table) ? [] : `${table}.${column}`,
  )
  const carried = (await describeTables()).flatMap(({ name, columns }) =>
    columns.map((column) => `${name}.${column.name}`),
  )
  expect(carried.toSorted()).toEqual(found.toSorted())
})

const BIG = '9223372036854775807'
const ODD = ['', ' ', "'", '"\\', '\n\r\t', '\\u0000', 'NULL', '😀 ẞ ǅ \u202e', '[1]', '{"a":null}']

/** Rows that a careless copy would change. */
async function addOddRows(url: string): Promise<void> {
  await inDatabase(url, async ({ db }) => {
    for (const text of ODD) {
      await sql`insert into limits (key, hits, expires_at)
        values (${`odd:${text}`}, ${text}, ${sql.raw(BIG)})`.execute(db)
    }
    await sql`insert into limits (key, hits, expires_at) values ('least', '', ${sql.raw(`-${BIG}`)})`.execute(
      db,
    )
    await sql`insert into login_codes
      (place, session_digest, user_id, account, code_digest, tries_left, expires_at, session_until)
      values (0, 'a', 0, 'b', '', 0, 0, 0), (-1, 'a', 0, 'b', '', 0, 0, 0)`.execute(db)
    await sql`insert into passkey_challenges (key, digest, user_id, expires_at)
      values ('login:1', 'x', null, 0)`.execute(db)
  })
}

const textsOf = (url: string) =>
  inDatabase(url, async ({ db }) => {
    const { rows } = await sql<{ line: string }>`
      select key || '|' || hits || '|' || cast(expires_at as text) as line from limits`.execute(db)
    return rows.map((row) => row.line).sort()
  })

test('values arrive as they were, and one that differs is found', async () => {
  const [from, to, back] = [await newSqlite(), await newTarget(), await newTarget()]
  const move = await newMover()
  const { stop, createUser } = await serveOn(from)
  await createUser({ username: 'ada' })
  await stop()
  await addOddRows(from)

  expect(await move(from, to)).toMatchObject({ code: 0 })
  expect(await move(to, back)).toMatchObject({ code: 0 })
  expect(await textsOf(back)).toEqual(await textsOf(from))
  const same = await move(from, back, '--check')
  expect(same).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/are the same in both databases \(1\d rows\)/),
  })

  await inDatabase(back, ({ db }) => db.updateTable('users').set({ first_name: ' ' }).execute())
  const { code, stdout, stderr } = await move(from, back, '--check')
  expect(code).toBe(1)
  expect(stdout).toBe('users: as many rows, but not the same\n')
  expect(stderr).toMatch(/The databases differ in users\.\n$/)
  const { tables } = JSON.parse((await move(from, back, '--check', '--json')).stdout)
  expect(tables.filter(({ isSame }: { isSame: boolean }) => !isSame)).toMatchObject([
    { table: 'users' },
  ])
})

test.runIf(onPostgres)('both ways lead through a pooler with two connections', async () => {
  const [from, to, back] = [await newSqlite(), await newTarget(), await newSqlite()]
  const move = await newMover()
  const { stop, createUser } = await serveOn(from)
  await createUser({ username: 'ada' })
  await stop()
  const { url } = await startPooler(to)
  expect(await move(from, url)).toMatchObject({ code: 0 })
  expect(await move(url, back)).toMatchObject({ code: 0 })
  expect(await move(from, back, '--check')).toMatchObject({ code: 0 })
})

test('a NUL character arrives in SQLite, and is refused by PostgreSQL', async () => {
  const [from, to] = [await newSqlite(), await newTarget()]
  const move = await newMover()
  await (await serveOn(from)).stop()
  await inDatabase(from, ({ db }) =>
    sql`insert into limits (key, hits, expires_at) values ('nul', 'a' || char(0) || 'b', 1)`.execute(
      db,
    ),
  )
  const { code, stderr } = await move(from, to)
  if (onPostgres) {
    expect(code).toBe(1)
    expect(stderr).toContain(
      'A text in limits.hits has a NUL character, which PostgreSQL cannot store.',
    )
    return
  }
  expect(code).toBe(0)
  const { rows } = await inDatabase(to, ({ db }) =>
    sql`select hex(hits) as hex from limits`.execute(db),
  )
  expect(rows).toEqual([{ hex: '610062' }])
})

test('a batch has fewer rows if they are large', async () => {
  const { db } = await serveOn(await newTarget())
  const hits = 'x'.repeat(1_000_000)
  // So the sweep of the service leaves them alone.
  const NEVER = Number.MAX_SAFE_INTEGER
  for (let n = 0; n < 20; n++) {
    await db
      .insertInto('limits')
      .values({ key: `large:${n}`, hits, expires_at: NEVER })
      .execute()
  }
  const limits = (await describeTables()).find(({ name }) => name === 'limits') as MovedTable
  const sizes = await db.transaction().execute(async (trx) => {
    const found: number[] = []
    for await (const batch of readRows(trx, limits)) found.push(batch.length)
    return found
  })
  expect(sizes).toEqual([8, 8, 4])
})
