import { closeSync, mkdirSync, openSync, readlinkSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  type Dialect,
  type Driver,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'
import type LibsqlDatabase from 'libsql'
import { type NativeModule, nativeModule } from '../kernel/native-module.ts'
import type { Deadlines } from './deadlines.ts'
import { type FileTurn, joinFile } from './file-turns.ts'
import type { Database } from './schema.ts'

export const sqliteDriver: NativeModule<typeof LibsqlDatabase> = nativeModule({
  name: 'libsql',
  orElse: 'let DATABASE_URL name a PostgreSQL',
})

/** A query waits only while another process writes, and at most as long as a write may take. */
export function connectSqlite(file: string, { writeMs }: Deadlines): Kysely<Database> {
  const SqliteDriver = sqliteDriver.load()
  if (file !== ':memory:') makePrivateFile(file)
  const database = new SqliteDriver(file, { timeout: writeMs })
  // FULL: what a client was told survives a power cut.
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) {
    database.exec(`PRAGMA ${pragma}`)
  }
  const dialect = new SqliteDialect({ database: withPreparedStatements(database) })
  const whole = keepingFirstError(dialect, database)
  return new Kysely({ dialect: file === ':memory:' ? whole : takingTurns(whole, joinFile(file)) })
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
function takingTurns(dialect: Dialect, { take, give, leave }: FileTurn): Dialect {
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
    destroy() {
      leave()
      return driver.destroy()
    },
  }))
}

/** The dialect with some functions of its driver replaced. */
function withDriver(dialect: Dialect, replaced: (driver: Driver) => Partial<Driver>): Dialect {
  return {
    createDriver() {
      const driver = dialect.createDriver()
      return {
        init: () => driver.init(),
        acquireConnection: () => driver.acquireConnection(),
        beginTransaction: (...begin) => driver.beginTransaction(...begin),
        commitTransaction: (connection) => driver.commitTransaction(connection),
        rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
        releaseConnection: (connection) => driver.releaseConnection(connection),
        destroy: () => driver.destroy(),
        ...replaced(driver),
      }
    },
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  }
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
    // A link to a file that does not exist yet counts as existing.
    const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined
    if (!isThere) makePrivateFile(resolve(dirname(file), readlinkSync(file)))
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

/** The driver returns arrays faster than objects, so the objects are built here. */
function rowsOf(statement: LibsqlDatabase.Statement) {
  const raw = statement.raw()
  const columns = raw.columns().map(({ name }) => name)
  const blank = blankRow(columns)
  return (parameters: readonly unknown[]): unknown[] =>
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
