import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CompiledQuery, sql } from 'kysely'
import { type Connection, connect } from '../../src/storage/connect.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { addRows, MADE, readyTables } from '../../src/storage/ready-tables.ts'
import { filledAmong, replaceRows, SEQUENCE } from '../../src/storage/snapshots.ts'
import { makeDatabaseFolder } from './database-folder.ts'

/** Writes a new SQLite file with all tables, for those who open it by its name. */
export async function writeTables(file: string): Promise<void> {
  migratedFile ??= migrateFile()
  await writeFile(file, await migratedFile, { mode: 0o600, flag: 'wx' })
}

let migratedFile: Promise<Buffer> | undefined

async function migrateFile(): Promise<Buffer> {
  const folder = await makeDatabaseFolder('template')
  const file = join(folder, 'latchkey.db')
  const connection = connect({
    ...{ DATABASE_URL: `sqlite:${file}`, DATABASE_READ_TIMEOUT: 0, DATABASE_WRITE_TIMEOUT: 0 },
  })
  await migrate(connection, migrations, 0)
  await connection.close()
  const content = await readFile(file)
  await rm(folder, { recursive: true, force: true })
  return content
}

/** Deletes all rows that a test has left, and ids begin with 1 again. Fails if tables are missing. */
export async function emptyTables(connection: Connection): Promise<void> {
  const { db, patientDb, engine } = connection
  const { made, tables, rows } = await readyTables()
  if (engine === 'postgres') {
    emptying ??= emptyingOf(db, tables)
    await patientDb.executeQuery(emptying)
    return
  }
  const { rows: found } = await MADE.execute(db)
  if (JSON.stringify(found) !== JSON.stringify(made)) throw new Error('Other tables.')
  filled ??= filledAmong(db, [...tables, SEQUENCE])
  await replaceRows(db, filled, (tx) => addRows(tx, rows))
}

let filled: ReturnType<typeof filledAmong> | undefined
let emptying: CompiledQuery | undefined

/**
 * One statement for PostgreSQL. It has a value, because only then a connection prepares it: to plan it
 * takes ten times as long as to run it.
 */
function emptyingOf(db: Connection['db'], tables: readonly string[]): CompiledQuery {
  const deletes = tables
    .filter((name) => name !== 'latchkey_migrations')
    .map((name) => sql`${sql.ref(`from_${name}`)} as (delete from ${sql.table(name)})`)
  return sql`with ${sql.join(deletes)} select setval(oid, 1, false) from pg_class
    where relnamespace = current_schema::regnamespace and relkind = ${'S'}`.compile(db)
}
