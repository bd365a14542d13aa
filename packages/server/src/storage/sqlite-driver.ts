import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseConnection, QueryResult } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { isBusy } from './faults.ts'
import type { FileTurn } from './file-turns.ts'
import { type Gate, passGate } from './freeze.ts'
import { type Statement, type StatementDriver, streamQuery } from './statements.ts'

/** How often a statement that waits for another process tries again. */
const RETRY_EVERY_MS = 1

type Needs = {
  database: LibsqlDatabase.Database
  turns: FileTurn
  gate: Gate
  /** How long a statement waits for other processes. */
  mostMs: number
}

type Executed = Pick<Statement, 'sql' | 'parameters' | 'first'>

/**
 * One connection, which its users take in turn. A single statement needs no turn if nobody has one:
 * the database is synchronous, so nothing can come in between.
 */
export function createSqliteDriver({ database, turns, gate, mostMs }: Needs): StatementDriver {
  const statements = createStatements(database)
  let isDestroyed = false

  function refuseIfDestroyed(): void {
    if (isDestroyed) throw new Error('driver has already been destroyed')
  }

  const connection: DatabaseConnection = { streamQuery, executeQuery: untilFree }
  const driver: StatementDriver = {
    async run<Row>(statement: Statement) {
      if (turns.isFree()) {
        refuseIfDestroyed()
        try {
          return execute<Row>(statement)
        } catch (error) {
          if (!isBusy(error)) throw error
        }
      }
      await driver.acquireConnection()
      try {
        return await untilFree<Row>(statement)
      } finally {
        turns.give()
      }
    },

    async init() {},

    async acquireConnection() {
      refuseIfDestroyed()
      await turns.take()
      return connection
    },

    // A transaction that begins with a read cannot start to write while another process writes.
    // `immediate` takes the lock at the start, so the transaction waits instead of failing.
    beginTransaction: () => command('begin immediate'),
    commitTransaction: () => command('commit'),

    // On a full disk SQLite rolls back by itself. A second rollback would then fail, and its error
    // would hide the first one.
    async rollbackTransaction() {
      if (database.inTransaction) await command('rollback')
    },

    async releaseConnection() {
      turns.give()
    },

    async destroy() {
      isDestroyed = true
      statements.clear()
    },
  }
  return driver

  async function command(sql: string): Promise<void> {
    await untilFree({ sql, parameters: [] })
  }

  function execute<Row>({ sql, parameters, first = false }: Executed): QueryResult<Row> {
    passGate(gate, sql)
    return statements.prepare(sql)(parameters, first) as QueryResult<Row>
  }

  /**
   * Waits while another process writes. The driver could wait, too, but it would stop the whole
   * thread, and with it every other request. It would also sleep longer and longer, and so miss its
   * turn. Inside a transaction nobody waits: the lock was taken at its start.
   */
  async function untilFree<Row>(statement: Executed): Promise<QueryResult<Row>> {
    const since = performance.now()
    for (;;) {
      try {
        return execute<Row>(statement)
      } catch (error) {
        if (!isBusy(error) || database.inTransaction) throw error
        if (performance.now() - since > mostMs) {
          close(statement)
          throw error
        }
      }
      await pause(RETRY_EVERY_MS)
    }
  }

  /**
   * A statement that found the database locked stays open until its next use, and no transaction can
   * commit meanwhile. So it is used once more, where it cannot write. It fails, and is closed.
   */
  function close(statement: Executed): void {
    database.exec('PRAGMA query_only = ON')
    try {
      execute(statement)
    } catch {
      // As intended.
    } finally {
      database.exec('PRAGMA query_only = OFF')
    }
  }
}

type Run = (parameters: readonly unknown[], first: boolean) => QueryResult<Row>

/** Preparing a statement costs more than running it, so each text is prepared once. */
function createStatements(database: LibsqlDatabase.Database) {
  const known = new Map<string, Run>()

  function runnerOf(statement: LibsqlDatabase.Statement): Run {
    if (!statement.reader) {
      return (parameters) => {
        const { changes } = statement.run(parameters)
        return { rows: [], numAffectedRows: BigInt(changes) }
      }
    }
    const { first: firstRow, all } = rowsOf(statement)
    return (parameters, first) => ({ rows: first ? firstRow(parameters) : all(parameters) })
  }

  return {
    clear: () => known.clear(),

    prepare(text: string): Run {
      const there = known.get(text)
      if (there) return there
      const run = runnerOf(database.prepare(text))
      const runOrForget: Run = (parameters, first) => {
        try {
          return run(parameters, first)
        } catch (error) {
          // The driver would repeat any other error at each further use.
          if (!isBusy(error)) known.delete(text)
          throw error
        }
      }
      known.set(text, runOrForget)
      return runOrForget
    },
  }
}

type Row = Record<string, unknown>

/**
 * The rows of a statement. The driver returns arrays faster than objects, and one row much faster
 * than a list of one. So it is asked for these, and the objects are built here.
 */
export function rowsOf(statement: LibsqlDatabase.Statement) {
  const raw = statement.raw()
  const columns = raw.columns().map(({ name }) => name)
  const blank = blankRow(columns)
  return {
    /** The first row, or none. */
    first(parameters: readonly unknown[]): Row[] {
      const values = raw.get(parameters) as unknown[] | undefined
      return values ? [toRow(blank, columns, values)] : []
    },
    all: (parameters: readonly unknown[]): Row[] =>
      raw.all(parameters).map((values) => toRow(blank, columns, values as unknown[])),
  }
}

/**
 * A row to be copied and filled. An object that gets many keys one by one becomes a dictionary,
 * which is slow to read and slower to copy. JSON makes it with all of its keys at once.
 */
function blankRow(columns: readonly string[]): Row {
  return JSON.parse(JSON.stringify(Object.fromEntries(columns.map((name) => [name, null]))))
}

function toRow(blank: Row, columns: readonly string[], values: readonly unknown[]): Row {
  // Twice as fast as `Object.assign`.
  const row = { ...blank }
  for (let i = 0; i < columns.length; i++) row[columns[i] ?? ''] = values[i]
  return row
}
