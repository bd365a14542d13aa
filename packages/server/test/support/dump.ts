import { type Kysely, SqliteAdapter, sql } from 'kysely'
import type { Database } from '../../src/storage/schema.ts'

/**
 * Every column of every table. On PostgreSQL each test has a schema of its own. Kysely would describe
 * all schemas, and fail if another test drops a table meanwhile.
 */
export async function columnsOf(
  db: Kysely<Database>,
): Promise<{ table: string; column: string }[]> {
  const { rows } = await (db.getExecutor().adapter instanceof SqliteAdapter
    ? sql<{ table: string; column: string }>`select m.name as "table", c.name as "column"
        from sqlite_master m join pragma_table_info(m.name) c
        where m.type = 'table' and m.name not like 'sqlite_%' and m.sql not like 'create virtual%'`
    : sql<{ table: string; column: string }>`select table_name as "table", column_name as "column"
        from information_schema.columns where table_schema = current_schema()`
  ).execute(db)
  return rows
}

/** The tables with a column that says whose a row is. */
export async function tablesOfUsers(db: Kysely<Database>): Promise<string[]> {
  const columns = await columnsOf(db)
  return columns.filter(({ column }) => column === 'user_id').map(({ table }) => table)
}

/** Every value in every table, as a thief of the database would see them. */
export async function dump(db: Kysely<Database>): Promise<string[]> {
  const tables = new Set((await columnsOf(db)).map(({ table }) => table))
  const values: string[] = []
  for (const name of tables) {
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
