import { type Kysely, sql } from 'kysely'
import type { Database } from '../../src/storage/schema.ts'

/** Every value in every table, as a thief of the database would see them. */
export async function dump(db: Kysely<Database>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  // On PostgreSQL each test has a schema, and the tables of the others are listed, too.
  const isPostgres = tables.some(({ schema }) => schema !== undefined)
  const { rows: here } = isPostgres
    ? await sql<{ name: string }>`select current_schema() as name`.execute(db)
    : { rows: [] }
  const own = tables.filter(({ schema }) => schema === here[0]?.name)
  const values: string[] = []
  for (const { name } of own) {
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
