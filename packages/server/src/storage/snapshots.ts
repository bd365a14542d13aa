import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Connection } from './connect.ts'
import type { Database } from './schema.ts'
import { emptySearch } from './user-search.ts'

export type Snapshots = Awaited<ReturnType<typeof openSnapshots>>

/** All tables, except the search, which triggers fill, and those of the storage itself. */
const NAMES = sql<{ name: string }>`select name from main.sqlite_master
  where type = 'table' and name not like 'sqlite_%' and name not like 'latchkey~_%' escape '~'`

/** The next ids. */
export const SEQUENCE = 'sqlite_sequence'

const own = (table: string) => sql.table(`main.${table}`)
const copyOf = (table: string, number: number) => sql.table(`snapshots.${number} ${table}`)

/**
 * Copies of all rows of an SQLite in memory. They are in a second database beside it, since copying
 * rows from table to table is much faster than writing a file. A test fills a few tables, so only
 * those with rows are copied and emptied.
 */
export async function openSnapshots({ db }: Connection) {
  await sql`attach ':memory:' as snapshots`.execute(db)
  // Nothing here has to be overwritten when it is deleted.
  await sql`pragma secure_delete = off`.execute(db)
  const { rows } = await NAMES.execute(db)
  const filled = filledAmong(db, [...rows.map(({ name }) => name), SEQUENCE])
  /** The tables of each copy. */
  const copies = new Map<number, readonly string[]>()

  return {
    /** Copies the rows as they are now. Replaces an earlier copy with the number. */
    async take(number: number): Promise<void> {
      const copied = await db.transaction().execute(async (tx) => {
        for (const table of copies.get(number) ?? []) {
          await sql`drop table ${copyOf(table, number)}`.execute(tx)
        }
        const tables = (await tx.executeQuery(filled)).rows.map(({ name }) => name)
        for (const table of tables) {
          const copy = copyOf(table, number)
          await sql`create table ${copy} as select * from ${own(table)}`.execute(tx)
        }
        return tables
      })
      copies.set(number, copied)
    },

    /** Puts the rows of a copy back in the place of all present rows. */
    restore: (number: number): Promise<void> =>
      replaceRows(db, filled, async (tx) => {
        for (const table of copies.get(number) ?? []) {
          const copy = copyOf(table, number)
          await sql`insert into ${own(table)} select * from ${copy}`.execute(tx)
        }
      }),
  }
}

/** Empties the tables that the query names, and fills them again. */
export const replaceRows = (
  db: Kysely<Database>,
  filled: Filled,
  fill: (tx: Kysely<Database>) => Promise<void>,
): Promise<void> =>
  db.connection().execute(async (connection) => {
    // Tables are emptied one after another. The setting cannot change inside a transaction.
    await sql`pragma foreign_keys = off`.execute(connection)
    try {
      await connection.transaction().execute(async (tx) => {
        for (const { name } of (await tx.executeQuery(filled)).rows) {
          await sql`delete from ${own(name)}`.execute(tx)
        }
        await emptySearch(tx)
        await fill(tx)
      })
    } finally {
      await sql`pragma foreign_keys = on`.execute(connection)
    }
  })

type Filled = CompiledQuery<{ name: string }>

/** Asks which of the tables have rows. It is one query, since most of them have none. */
export const filledAmong = (db: Kysely<Database>, tables: readonly string[]): Filled =>
  sql<{ name: string }>`${sql.join(
    tables.map((name) => sql`select ${name} as name where exists (select 1 from ${own(name)})`),
    sql` union all `,
  )}`.compile(db)
