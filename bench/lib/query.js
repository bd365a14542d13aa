import { loadForServer } from './packages.js'

/** Runs one statement over a connection of its own, and returns its rows. */
export async function query(url, text) {
  if (!url.startsWith('postgres')) {
    const Database = loadForServer('libsql')
    const db = new Database(url.slice('sqlite:'.length), { timeout: 10_000 })
    try {
      db.exec('pragma foreign_keys = on')
      const statement = db.prepare(text)
      if (statement.reader) return statement.all()
      statement.run()
      return []
    } finally {
      db.close()
    }
  }
  const { Client } = loadForServer('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
