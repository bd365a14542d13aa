import { sql } from 'kysely'
import { type Connection, connect } from '../../src/storage/connect.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'

/**
 * Fills an empty SQLite with what the migrations leave behind. Running each of them for every test
 * takes ten times as long.
 */
export async function addTables({ db }: Connection): Promise<void> {
  template ??= migratedOnce()
  const { statements, rows } = await template
  await db.transaction().execute(async (trx) => {
    for (const statement of statements) await sql.raw(statement).execute(trx)
    for (const [table, content] of rows) {
      await trx.withTables<Tables>().insertInto(table).values(content).execute()
    }
  })
}

type Tables = Record<string, Record<string, unknown>>
type Template = { statements: string[]; rows: [table: string, content: Tables[string][]][] }

let template: Promise<Template> | undefined

async function migratedOnce(): Promise<Template> {
  const connection = connect({
    DATABASE_URL: 'sqlite::memory:',
    DATABASE_READ_TIMEOUT: 0,
    DATABASE_WRITE_TIMEOUT: 0,
  })
  await migrate(connection, migrations, 0)
  const { rows: made } = await sql<{ type: string; name: string; text: string }>`
    select type, name, sql as text from sqlite_master
    where sql is not null and name not like 'sqlite_%' order by type <> 'table', rowid
  `.execute(connection.db)
  const rows: Template['rows'] = []
  for (const { name } of made.filter(({ type }) => type === 'table')) {
    const content = await connection.db.withTables<Tables>().selectFrom(name).selectAll().execute()
    if (content.length > 0) rows.push([name, content])
  }
  await connection.close()
  return { statements: made.map(({ text }) => text), rows }
}
