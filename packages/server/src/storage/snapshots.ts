import { type Kysely, sql } from 'kysely'
import type { Connection } from './connect.ts'
import type { Database } from './schema.ts'

export type Snapshots = Awaited<ReturnType<typeof openSnapshots>>

/**
 * Tables that a snapshot leaves alone: those of the full-text search, which triggers keep up to date,
 * and the list of running instances.
 */
const NAMES = sql<{ name: string }>`select name from main.sqlite_master
  where type = 'table' and name not like 'sqlite_%' and name not like 'latchkey_search%'
    and name != 'latchkey_instances'`

/** Ids begin where they began in the snapshot. */
const SEQUENCE = 'sqlite_sequence'

/**
 * Copies of all rows of an SQLite in memory. They are in a second database beside it, since copying
 * rows from table to table is much faster than writing a file. Each copy has a number, which can be
 * used again: so every statement is prepared once.
 */
export async function openSnapshots({ db }: Connection) {
  await sql`attach ':memory:' as snapshots`.execute(db)
  // Nothing here has to be overwritten when it is deleted.
  await sql`pragma secure_delete = off`.execute(db)
  const { rows } = await NAMES.execute(db)
  const tables = [...rows.map(({ name }) => name), SEQUENCE]
  const made = new Set<number>()
  const copyOf = (table: string, number: number) => sql.table(`snapshots.${number} ${table}`)

  return {
    /** Copies the rows as they are now. Replaces an earlier copy with the number. */
    async take(number: number): Promise<void> {
      await db.transaction().execute(async (one) => {
        for (const table of tables) {
          const [copy, own] = [copyOf(table, number), sql.table(`main.${table}`)]
          if (!made.has(number)) {
            await sql`create table ${copy} as select * from ${own} where false`.execute(one)
          }
          await replaceRows(one, copy, own)
        }
      })
      made.add(number)
    },

    /** Puts the rows of a copy back in the place of all present rows. */
    restore: (number: number): Promise<void> =>
      db.connection().execute(async (connection) => {
        // Tables are emptied one after another. The setting cannot change inside a transaction.
        await sql`pragma foreign_keys = off`.execute(connection)
        try {
          await connection.transaction().execute(async (one) => {
            for (const table of tables) {
              await replaceRows(one, sql.table(`main.${table}`), copyOf(table, number))
            }
          })
        } finally {
          await sql`pragma foreign_keys = on`.execute(connection)
        }
      }),
  }
}

type Table = ReturnType<typeof sql.table>

async function replaceRows(db: Kysely<Database>, to: Table, from: Table): Promise<void> {
  await sql`delete from ${to}`.execute(db)
  await sql`insert into ${to} select * from ${from}`.execute(db)
}
