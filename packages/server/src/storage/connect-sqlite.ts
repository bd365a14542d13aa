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
import { setTimeout as pause } from 'node:timers/promises'
import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'
import type LibsqlDatabase from 'libsql'
import { type NativeModule, nativeModule } from '../kernel/native-module.ts'
import type { Deadlines } from './deadlines.ts'
import { isBusy, isUnavailable } from './faults.ts'
import { type FileTurn, joinFile } from './file-turns.ts'
import { freezable, type Gate } from './freeze.ts'
import type { Database } from './schema.ts'
import { withDriver } from './with-driver.ts'

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

/** How often a query that waits for another process tries again. */
const RETRY_EVERY_MS = 1

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
  const turns = file === ':memory:' ? null : joinFile(file)
  const plain = new SqliteDialect({ database: withPreparedStatements(database) })
  const dialect = keepingFirstError(waitingForOthers(plain, database, writeMs), database)
  const inTurn = turns ? takingTurns(dialect, turns) : dialect
  const db = new Kysely<Database>({ dialect: freezable(inTurn, gate) })

  return {
    db,
    emptyJournal: () => db.connection().execute(async () => emptyJournal(database)),
    isLocked: () => db.connection().execute(async () => isLocked(database)),
    async close(): Promise<void> {
      await db.destroy()
      if (!database.open) return
      turns?.leave()
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
 * Waits while another process writes. The driver could wait, too, but it would stop the whole thread,
 * and with it every other request. It would also sleep longer and longer, and so miss its turn. Inside
 * a transaction nobody waits: the lock was taken at its start.
 */
function waitingForOthers(
  dialect: Dialect,
  database: LibsqlDatabase.Database,
  mostMs: number,
): Dialect {
  return withDriver(dialect, (driver) => {
    let waiting: DatabaseConnection | undefined
    return {
      async acquireConnection() {
        const connection = await driver.acquireConnection()
        // There is only one.
        waiting ??= {
          executeQuery: (query) => tryUntilFree(() => connection.executeQuery(query)),
          streamQuery: (query, size) => connection.streamQuery(query, size),
        }
        return waiting
      },
    }
  })

  function tryUntilFree<T>(run: () => Promise<T>, since = performance.now()): Promise<T> {
    try {
      return run()
    } catch (error) {
      const isTooLate = performance.now() - since > mostMs
      if (!isBusy(error) || database.inTransaction || isTooLate) throw error
      return pause(RETRY_EVERY_MS).then(() => tryUntilFree(run, since))
    }
  }
}

/**
 * On a full disk SQLite rolls back by itself. A second rollback then fails, and its error would
 * hide the first one.
 */
function keepingFirstError(dialect: Dialect, database: LibsqlDatabase.Database): Dialect {
  return withDriver(dialect, (driver) => ({
    rollbackTransaction: async (connection) => {
      if (database.inTransaction) await driver.rollbackTransaction(connection)
    },
  }))
}

/** A second service of this process may use the same file. */
function takingTurns(dialect: Dialect, { take, give }: FileTurn): Dialect {
  return withDriver(dialect, (driver) => ({
    async acquireConnection() {
      const connection = await driver.acquireConnection()
      const turn = take()
      if (turn) await turn
      return connection
    },
    releaseConnection(connection) {
      give()
      return driver.releaseConnection(connection)
    },
  }))
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

/** Preparing a statement costs more than running it, so each text is prepared once. */
function withPreparedStatements(database: LibsqlDatabase.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  const prepare = (text: string): SqliteStatement => {
    // A transaction that begins with a read cannot start to write while another process writes.
    // `immediate` takes the lock at the start, so the transaction waits instead of failing.
    const statement = database.prepare(text === 'begin' ? 'begin immediate' : text)
    const { reader } = statement
    const all = reader ? rowsOf(statement) : () => []
    return { reader, all, run: (parameters) => statement.run(parameters), iterate }
  }
  return {
    // Kysely calls it only if a query has run, so the database itself is closed by `connectSqlite`.
    close: () => statements.clear(),
    prepare(text) {
      const known = statements.get(text)
      if (known) return known
      const statement = prepare(text)
      statements.set(text, statement)
      return statement
    },
  }
}

/** The driver returns arrays faster than objects, so the objects are built here. */
export function rowsOf(statement: LibsqlDatabase.Statement) {
  const raw = statement.raw()
  const columns = raw.columns().map(({ name }) => name)
  const blank = blankRow(columns)
  return (parameters: readonly unknown[]): Row[] =>
    raw.all(parameters).map((values) => toRow(blank, columns, values as unknown[]))
}

type Row = Record<string, unknown>

/**
 * A row to be copied and filled. An object that gets many keys one by one becomes a dictionary,
 * which is slow to read and slower to copy. JSON makes it with all of its keys at once.
 */
function blankRow(columns: readonly string[]): Row {
  return JSON.parse(JSON.stringify(Object.fromEntries(columns.map((name) => [name, null]))))
}

function toRow(blank: Row, columns: readonly string[], values: readonly unknown[]): Row {
  const row = Object.assign({}, blank)
  for (let i = 0; i < columns.length; i++) row[columns[i] ?? ''] = values[i]
  return row
}

/** Results are never streamed in this service. */
function iterate(): never {
  throw new Error('Streaming is not supported.')
}
