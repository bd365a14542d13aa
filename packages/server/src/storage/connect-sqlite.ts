import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readlinkSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { type NativeModule, nativeModule } from '../kernel/native-module.ts'
import type { Deadlines } from './deadlines.ts'
import { isUnavailable } from './faults.ts'
import { joinFile } from './file-turns.ts'
import type { Gate } from './freeze.ts'
import { createSqliteDriver } from './sqlite-driver.ts'
import { kyselyOver } from './statements.ts'

export const sqliteDriver: NativeModule<typeof LibsqlDatabase> = nativeModule({
  name: 'libsql',
  orElse: 'let DATABASE_URL name a PostgreSQL',
})

/**
 * FULL: what a client was told survives a power cut. `secure_delete`: what is deleted is overwritten,
 * so that nothing of a deleted account stays in free pages.
 */
const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'secure_delete = ON',
]

/** A query waits only while another process writes, and at most as long as a write may take. */
export function connectSqlite(
  file: string,
  { writeMs }: Deadlines,
  gate: Gate = { isFrozen: false },
) {
  const SqliteDriver = sqliteDriver.load()
  if (file !== ':memory:') makePrivateFile(file)
  const database = new SqliteDriver(file, { timeout: writeMs })
  for (const pragma of [...PRAGMAS, 'busy_timeout = 0']) database.exec(`PRAGMA ${pragma}`)
  const turns = joinFile(file)
  const driver = createSqliteDriver({ database, turns, gate, mostMs: writeMs })
  const db = kyselyOver(driver, {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  })

  return {
    db,
    emptyJournal: () => db.connection().execute(async () => emptyJournal(database)),
    isLocked: () => db.connection().execute(async () => isLocked(database)),
    async close(): Promise<void> {
      await db.destroy()
      if (!database.open) return
      turns.leave()
      try {
        // The driver closes the file only when its statements are collected as garbage.
        emptyJournal(database)
      } catch {
        // The journal stays, and the next connection reads it.
      }
      database.close()
    },
  }
}

/**
 * Writes the journal into the database and cuts it to nothing, since it still has the pages as they
 * were before a deletion. If another process reads or writes at this moment, nothing happens:
 * requests must not wait for it.
 */
function emptyJournal(database: LibsqlDatabase.Database): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

/** True if another process holds the write lock at this moment. */
function isLocked(database: LibsqlDatabase.Database): boolean {
  try {
    database.exec('BEGIN IMMEDIATE')
  } catch (error) {
    if (isUnavailable(error)) return true
    throw error
  }
  database.exec('ROLLBACK')
  return false
}

/**
 * Creates the file with mode 0600 before the driver does, since the driver would make it readable
 * by everybody. The journal files take over its mode. An existing file is not opened: closing it
 * would drop the locks that other connections of this process hold on it, and the next process that
 * ends would then delete the journal under them.
 */
function makePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const there = statSync(file, { throwIfNoEntry: false })
    // A link to a file that does not exist yet counts as existing.
    if (!there) makePrivateFile(resolve(dirname(file), readlinkSync(file)))
    // Said here, since the driver would only say that it failed.
    else if (there.isDirectory())
      throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
    else accessSync(file, constants.R_OK | constants.W_OK)
  }
}
