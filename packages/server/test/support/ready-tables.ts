import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
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

/** Deletes all rows that a test has left. Fails if the test has changed the tables. */
export async function emptyTables({ db, patientDb, engine }: Connection): Promise<void> {
  if (engine === 'postgres') {
    await sql.raw(EMPTY_ALL).execute(patientDb)
    return
  }
  const { made, tables, rows } = await readyTables()
  const { rows: found } = await MADE.execute(db)
  if (JSON.stringify(found) !== JSON.stringify(made)) throw new Error('Other tables.')
  filled ??= filledAmong(db, [...tables, SEQUENCE])
  await replaceRows(db, filled, (tx) => addRows(tx, rows))
}

let filled: ReturnType<typeof filledAmong> | undefined

/** On PostgreSQL: deletes all rows except the list of migrations. Ids begin with 1 again. */
export const EMPTY_ALL = `do $$
  declare
    schema oid := current_schema::regnamespace;
    name text;
  begin
    set local session_replication_role = replica;
    -- A table that never had a row has no file. Asking for the size of a table waits for its lock, and a
    -- test that runs beside this one may lock its own: so the tables of this schema are chosen before.
    for name in with own as materialized (
        select oid, relname from pg_class
        where relnamespace = schema and relkind = 'r'
          and relname not like '%migrations'
      ) select relname from own where pg_relation_size(oid) > 0
    loop execute format('delete from %I', name); end loop;
    perform setval(oid, 1, false) from pg_class
      where relnamespace = schema and relkind = 'S';
  end $$`
