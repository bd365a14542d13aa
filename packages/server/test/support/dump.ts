import { type Kysely, SqliteAdapter, sql } from 'kysely'
import type { Database } from '../../src/storage/schema.ts'

/** Every value in every table, as a thief of the database would see them. */
export async function dump(db: Kysely<Database>): Promise<string[]> {
  // On PostgreSQL each test has a schema of its own.
  const { rows: tables } = await (db.getExecutor().adapter instanceof SqliteAdapter
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
    : sql<{ name: string }>`select table_name as name from information_schema.tables
        where table_schema = current_schema()`
  ).execute(db)
  const values: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      db,
    )
    for (const row of rows) values.push(...Object.values(row).map(String))
  }
  return values
}

/** How many rows each table that a login writes to has. */
export async function countRows(db: Kysely<Database>, table: keyof Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
    db,
  )
  return Number(rows[0]?.n)
}
