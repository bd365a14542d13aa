import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Connection, connect } from '../../src/storage/connect.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { makeDatabaseFolder } from './database-folder.ts'

/**
 * Fills an empty SQLite with what the migrations leave behind. Running each of them for every test
 * takes ten times as long.
 */
export async function addTables({ db }: Connection): Promise<void> {
  template ??= migratedOnce()
  const { statements, rows } = await template
  await db.transaction().execute(async (trx) => {
    for (const statement of statements) await sql.raw(statement).execute(trx)
    // The statements do not contain the options of the search.
    await sql`insert into latchkey_search (latchkey_search, rank)
      values ('secure-delete', 1)`.execute(trx)
    for (const [table, content] of rows) {
      await trx.withTables<Tables>().insertInto(table).values(content).execute()
    }
  })
}

/** Writes a new SQLite file with all tables, for those who open it by its name. */
export async function writeTables(file: string): Promise<void> {
  migratedFile ??= migrateFile()
  await writeFile(file, await migratedFile, { mode: 0o600, flag: 'wx' })
}

let migratedFile: Promise<Buffer> | undefined

async function migrateFile(): Promise<Buffer> {
  const folder = await makeDatabaseFolder('template')
  const file = join(folder, 'latchkey.db')
  const connection = connect({ ...AT_ONCE, DATABASE_URL: `sqlite:${file}` })
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
  template ??= migratedOnce()
  const { tables, rows } = await template
  const { rows: found } = await sql`${NAMES_OF_TABLES}`.execute(db)
  if (JSON.stringify(found) !== JSON.stringify(tables)) throw new Error('Other tables.')
  await sql`pragma foreign_keys = off`.execute(db)
  await db.transaction().execute(async (one) => {
    for (const { name, sql: made } of tables) {
      if (!/virtual/i.test(made)) await sql`delete from ${sql.table(name)}`.execute(one)
    }
    await sql`delete from sqlite_sequence`.execute(one)
    for (const [table, content] of rows) {
      await one.withTables<Tables>().insertInto(table).values(content).execute()
    }
  })
  await sql`pragma foreign_keys = on`.execute(db)
}

/** SQLite makes the tables behind the search itself, and triggers fill and empty them. */
const OF_SEARCH = 'latchkey_search_%'

const NAMES_OF_TABLES = sql`select name, sql from sqlite_master
  where type = 'table' and name not like 'sqlite_%' and name not like ${sql.lit(OF_SEARCH)}
  order by name`

/** On PostgreSQL: deletes all rows except the list of migrations. Ids begin with 1 again. */
export const EMPTY_ALL = `do $$
  declare name text;
  begin
    set local session_replication_role = replica;
    -- A table that never had a row has no file.
    for name in select relname from pg_class
      where relnamespace = current_schema::regnamespace and relkind = 'r'
        and pg_relation_size(oid) > 0 and relname not like '%migrations'
    loop execute format('delete from %I', name); end loop;
    perform setval(oid, 1, false) from pg_class
      where relnamespace = current_schema::regnamespace and relkind = 'S';
  end $$`

type Tables = Record<string, Record<string, unknown>>
type Template = {
  statements: string[]
  tables: { name: string; sql: string }[]
  /** What the migrations leave behind. */
  rows: [table: string, content: Tables[string][]][]
}

const AT_ONCE = { DATABASE_READ_TIMEOUT: 0, DATABASE_WRITE_TIMEOUT: 0 }

let template: Promise<Template> | undefined

async function migratedOnce(): Promise<Template> {
  const connection = connect({ ...AT_ONCE, DATABASE_URL: 'sqlite::memory:' })
  await migrate(connection, migrations, 0)
  const { rows: made } = await sql<{ type: string; name: string; text: string }>`
    select type, name, sql as text from sqlite_master
    where sql is not null and name not like 'sqlite_%' and name not like ${sql.lit(OF_SEARCH)}
    order by type <> 'table', rowid
  `.execute(connection.db)
  const rows: Template['rows'] = []
  const plain = made.filter(({ type, text }) => type === 'table' && !/virtual/i.test(text))
  for (const { name } of plain) {
    const content = await connection.db.withTables<Tables>().selectFrom(name).selectAll().execute()
    if (content.length > 0) rows.push([name, content])
  }
  const { rows: tables } = await sql<Template['tables'][number]>`${NAMES_OF_TABLES}`.execute(
    connection.db,
  )
  await connection.close()
  return { statements: made.map(({ text }) => text), tables, rows }
}
