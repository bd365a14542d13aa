import { existsSync, statSync } from 'node:fs'
import { openSqlite } from './sqlite-file.ts'

/** The table of the migrations that have run. */
export const HISTORY = 'latchkey_migrations'

/** Whether the file has tables of ours. Throws if it cannot be read, since it might have some. */
export function hasHistory(file: string): boolean {
  if (!existsSync(file) || statSync(file).isDirectory()) return false
  const database = openSqlite(file)
  try {
    return database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(HISTORY) !== undefined
  } finally {
    database.close()
  }
}
