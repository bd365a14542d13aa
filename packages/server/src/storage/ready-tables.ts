import { type Kysely, sql } from 'kysely'
import { once } from '../kernel/promises.ts'
import { type Connection, connect } from './connect.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/all.ts'
import type { Database } from './schema.ts'

type Tables = Record<string, Record<string, unknown>>
type Rows = [table: string, content: Tables[string][]][]

/** Tables and what is made for them. SQLite makes the tables behind the search itself. */
export const MADE = sql<{ type: string; name: string; sql: string }>`
  select type, name, sql from main.sqlite_master
  where sql is not null and name not like 'sqlite_%' and name not like 'latchkey_search_%'
  order by type <> 'table', rowid`

/**
 * Fills an empty SQLite with what the migrations leave behind. It is for services that start often, as
 * in tests: running the migrations takes ten times as long.
 */
export async function addTables({ db }: Connection): Promise<void> {
  const { made, rows } = await readyTables()
  await db.transaction().execute(async (tx) => {
    for (const one of made) await sql.raw(one.sql).execute(tx)
    // The statements do not contain the options of the search.
    await sql`insert into latchkey_search (latchkey_search, rank)
      values ('secure-delete', 1)`.execute(tx)
    await addRows(tx, rows)
  })
}

/** Adds the rows that the migrations leave in empty tables. */
export async function addRows(tx: Kysely<Database>, rows: Rows): Promise<void> {
  for (const [table, content] of rows) {
    await tx.withTables<Tables>().insertInto(table).values(content).execute()
  }
}

/** Runs all migrations in memory, and returns what is read from the result. */
export async function inMigratedMemory<T>(read: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const connection = connect({
    DATABASE_URL: 'sqlite::memory:',
    DATABASE_READ_TIMEOUT: 0,
    DATABASE_WRITE_TIMEOUT: 0,
  })
  try {
    await migrate(connection, migrations, 0)
    return await read(connection.db)
  } finally {
    await connection.close()
  }
}

/** What the migrations make. They run once per process. */
export const readyTables = once(() => inMigratedMemory(readMade))

async function readMade(db: Kysely<Database>) {
  const made = (await MADE.execute(db)).rows
  const tables = made.flatMap(({ type, name, sql }) =>
    type === 'table' && !/virtual/i.test(sql) ? [name] : [],
  )
  const rows: Rows = []
  for (const table of tables) {
    const content = await db.withTables<Tables>().selectFrom(table).selectAll().execute()
    if (content.length > 0) rows.push([table, content])
  }
  return { made, tables, rows }
}
