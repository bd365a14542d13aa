import Libsql from 'libsql'

/** Operators can look at sent mails for another day, and at invitations for longer. */
const KEPT = ['outbox', 'invitations']

/** How many rows of each table have expired before this time, by name; tables without such rows are left out. */
export async function expiredBefore(time, { postgres, file }) {
  const run = postgres ? postgres.query : (text) => queryFile(file, text)
  const tables = await run(postgres ? TABLES_OF_POSTGRES : TABLES_OF_SQLITE)
  const counts = {}
  for (const { name } of tables) {
    if (KEPT.includes(name)) continue
    const [row] = await run(`select count(*) as count from ${name} where expires_at < ${time}`)
    if (Number(row.count) > 0) counts[name] = Number(row.count)
  }
  return counts
}

const TABLES_OF_POSTGRES = `select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'expires_at'`
const TABLES_OF_SQLITE = `select tables.name from sqlite_master as tables
  join pragma_table_info(tables.name) as columns
  where tables.type = 'table' and columns.name = 'expires_at'`

function queryFile(file, text) {
  const database = new Libsql(file)
  try {
    return database.prepare(text).all()
  } finally {
    database.close()
  }
}
