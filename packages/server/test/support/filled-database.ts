import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { type Connection, connect } from '../../src/storage/connect.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { newDatabase } from './new-database.ts'
import { SECRET_KEY } from './start-auth.ts'

type Row = Record<string, string | number | null>

/** A database with rows in every table, as a released version left it. */
export type Filled = {
  version: string
  /** In the SQL of SQLite. */
  schema: string[]
  tables: Record<string, Row[]>
  /** The secrets of its users. */
  known: {
    password: string
    token: string
    session: string
    totpSecret: string
    recoveryCode: string
    ephemeralToken: string
  }
}

export const open = (url: string): Connection =>
  connect(resolveSettings({ DATABASE_URL: url, SECRET_KEY }))

const folder = new URL('../fixtures/', import.meta.url)

/** One for each release; `scripts/record-filled-database.js` makes them. */
export const filledDatabases: Filled[] = readdirSync(folder)
  .filter((name) => /^filled-.*\.json$/.test(name))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')))

export const migrationsOf = ({ tables }: Filled): string[] =>
  (tables.latchkey_migrations ?? []).map(({ name }) => String(name))

/** The URL of a database with exactly these rows. */
export async function restore(filled: Filled): Promise<string> {
  const url = await newDatabase(true)
  const connection = open(url)
  await makeTables(connection, filled)
  for (const [name, rows] of Object.entries(filled.tables)) await fill(connection, name, rows)
  await connection.close()
  return url
}

/** On SQLite the tables are as recorded. On PostgreSQL the migrations of that version make them. */
async function makeTables(connection: Connection, filled: Filled): Promise<void> {
  const { db, engine } = connection
  if (engine === 'sqlite') {
    for (const statement of filled.schema) await sql.raw(statement).execute(db)
    return
  }
  const names = migrationsOf(filled)
  const released = migrations.filter(({ name }) => names.includes(name))
  await migrate(connection, released, 0)
  await sql`delete from latchkey_migrations`.execute(db)
}

async function fill({ db, engine }: Connection, table: string, rows: Row[]): Promise<void> {
  for (const row of rows) {
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
    const values = sql.join(Object.values(row))
    await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(db)
  }
  if (engine === 'sqlite' || !('id' in (rows[0] ?? {})) || typeof rows[0]?.id !== 'number') return
  const newest = Math.max(...rows.map(({ id }) => Number(id)))
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${newest})`.execute(db)
}
