import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseConnection, QueryResult } from 'kysely'
import { isBusy } from './faults.ts'
import type { FileTurn } from './file-turns.ts'
import { type Gate, passGate } from './freeze.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { type Statement, type StatementDriver, streamQuery } from './statements.ts'

/** How often a statement that waits for another process tries again. */
const RETRY_EVERY_MS = 1

type Needs = {
  connection: SqliteConnection
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
export function createSqliteDriver({ connection, turns, gate, mostMs }: Needs): StatementDriver {
  let isDestroyed = false

  function refuseIfDestroyed(): void {
    if (isDestroyed) throw new Error('driver has already been destroyed')
  }

  const handedOut: DatabaseConnection = { streamQuery, executeQuery: untilFree }
  const driver: StatementDriver = {
    async run<Row>(statement: Statement) {
      if (turns.isFree()) {
        refuseIfDestroyed()
        connection.renew()
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
      await turns.take()
      try {
        refuseIfDestroyed()
        connection.renew()
      } catch (error) {
        turns.give()
        throw error
      }
      return handedOut
    },

    // A transaction that begins with a read cannot start to write while another process writes.
    // `immediate` takes the lock at the start, so the transaction waits instead of failing.
    beginTransaction: () => command('begin immediate'),
    commitTransaction: () => command('commit'),

    // If the disk is full or fails, SQLite often rolls back by itself. A second rollback would then
    // fail, and its error would hide the first one.
    async rollbackTransaction() {
      const { database } = connection
      if (database.inTransaction) database.exec('rollback')
    },

    async releaseConnection() {
      turns.give()
    },

    async destroy() {
      isDestroyed = true
      connection.forgetStatements()
    },
  }
  return driver

  async function command(sql: string): Promise<void> {
    await untilFree({ sql, parameters: [] })
  }

  function execute<Row>({ sql, parameters, first = false }: Executed): QueryResult<Row> {
    passGate(gate, sql)
    return connection.run(sql, parameters, first)
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
        if (!isBusy(error) || connection.database.inTransaction) throw error
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
    const { database } = connection
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
