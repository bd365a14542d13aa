import { join } from 'node:path'
import { inFolder } from '../../scripts/in-folder.js'
import { startPostgres } from '../../scripts/torture/parts/postgres.js'
import { fillDatabase } from './fill-database.js'
import { SECRET_KEY } from './people.js'
import { runCommand } from './server.js'

/**
 * Calls `work` for each engine with the address of a new, empty database. PostgreSQL comes from a
 * package and writes to the disk as it does by default. What is in the folder `kept` stays there, for
 * the next time. `flags` are those of PostgreSQL.
 */
export async function onEach(engines, work, { kept = null, flags = [] } = {}) {
  const results = {}
  for (const engine of engines) {
    results[engine] = await inFolder(async (folder, atTheEnd) => {
      const home = kept ?? folder
      if (engine === 'sqlite') return work(`sqlite:${join(home, 'latchkey.db')}`, folder, engine)
      const postgres = await startPostgres(home, { flags })
      atTheEnd(postgres.stop)
      return work(postgres.urlAt(postgres.port), folder, engine)
    })
  }
  return results
}

/** Makes the tables, and fills them. */
export async function prepareDatabase(url, folder, filling) {
  await runCommand(['migrate'], { env: { DATABASE_URL: url, SECRET_KEY }, folder })
  await fillDatabase(url, filling)
}
