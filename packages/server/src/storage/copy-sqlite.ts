import { openSqlite } from './sqlite-file.ts'

/** Writes the database as it is now into a new file. Others may read and write meanwhile. */
export function copySqlite(from: string, to: string): void {
  const database = openSqlite(from)
  try {
    database.prepare('VACUUM INTO ?').run([to])
  } finally {
    database.close()
  }
}
