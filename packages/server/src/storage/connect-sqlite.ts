import { resolve } from 'node:path'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type LibsqlDatabase from 'libsql'
import type { Deadlines } from './deadlines.ts'
import { isBusy, notConnected } from './faults.ts'
import { joinFile } from './file-turns.ts'
import type { Freeze } from './freeze.ts'
import { createSqliteConnection } from './sqlite-connection.ts'
import { createSqliteDriver } from './sqlite-driver.ts'
import { makePrivateFile, openSqlite } from './sqlite-file.ts'
import { kyselyOver } from './statements.ts'

/**
 * FULL: what a client was told survives a power cut. `secure_delete`: what is deleted is overwritten,
 * so that nothing of a deleted account stays in free pages.
 */
const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'secure_delete = ON',
  'busy_timeout = 0',
]

/** A query waits only while another process writes, and at most as long as a write may take. */
export function connectSqlite(
  file: string,
  { writeMs }: Deadlines,
  freeze: Freeze = { isOn: false },
) {
  const path = file === ':memory:' ? null : resolve(file)
  try {
    if (path !== null) makePrivateFile(path)
  } catch (error) {
    throw notConnected(error)
  }
  const connection = createSqliteConnection(() => openPrepared(path ?? file, writeMs), path)
  const turns = joinFile(file)
  const driver = createSqliteDriver({ connection, turns, freeze, mostMs: writeMs })
  const db = kyselyOver(driver, {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  })

  return {
    db,
    emptyJournal: () => db.connection().execute(async () => emptyJournal(connection.database)),
    checkFile: connection.checkFile,
    isLocked: () => db.connection().execute(async () => isLocked(connection.database)),
    async close(): Promise<void> {
      await db.destroy()
      // The driver would end the process if it were closed in the middle of a transaction.
      await turns.take()
      try {
        const { database } = connection
        if (database.open) closeFile(database)
      } finally {
        turns.give()
      }
    },
  }

  function closeFile(database: LibsqlDatabase.Database): void {
    turns.leave()
    try {
      // The driver closes the file only when its statements are collected as garbage.
      emptyJournal(database)
    } catch {
      // The journal stays, and the next connection reads it.
    }
    database.close()
  }
}

function openPrepared(file: string, writeMs: number): LibsqlDatabase.Database {
  const database = openSqlite(file, writeMs)
  try {
    for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`)
    return database
  } catch (error) {
    database.close()
    throw error
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
    if (isBusy(error)) return true
    throw error
  }
  database.exec('ROLLBACK')
  return false
}
