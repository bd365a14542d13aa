import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import LibsqlDatabase from 'libsql'
import type { Database } from './schema.ts'

const BUSY_TIMEOUT_MS = 5000

export function connectSqlite(file: string): Kysely<Database> {
  if (file !== ':memory:') makePrivateFile(file)
  const database = new LibsqlDatabase(file, { timeout: BUSY_TIMEOUT_MS })
  // FULL: an answer that said yes survives a power cut.
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) {
    database.exec(`PRAGMA ${pragma}`)
  }
  return new Kysely({ dialect: new SqliteDialect({ database: withPreparedStatements(database) }) })
}

/** Made before the driver would make it readable to all; the journal files follow its mode. */
function makePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/** Preparing costs more than running, so each text is prepared once. */
function withPreparedStatements(database: LibsqlDatabase.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  const prepare = (text: string): SqliteStatement => {
    // A transaction that begins by reading could not upgrade to writing while another process
    // writes; taking the lock at once makes it wait its turn instead.
    const statement = database.prepare(text === 'begin' ? 'begin immediate' : text)
    const { reader } = statement
    return {
      reader,
      all: (parameters) => statement.all(parameters),
      run: (parameters) => statement.run(parameters),
      iterate: (parameters) => statement.iterate(parameters),
    }
  }
  return {
    close: () => database.close(),
    prepare(text) {
      const known = statements.get(text)
      if (known) return known
      const statement = prepare(text)
      statements.set(text, statement)
      return statement
    },
  }
}
