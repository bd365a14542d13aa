import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseConnection, QueryResult } from 'kysely'
import { isBusy } from './faults.ts'
import type { FileTurn } from './file-turns.ts'
import { type Freeze, refuseIfFrozen } from './freeze.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { isRead } from './sqlite-statements.ts'
import { type Statement, type StatementDriver, streamQuery } from './statements.ts'

/** How often we try again while another process has the lock. */
const RETRY_EVERY_MS = 1

/**
 * A transaction that begins with a read cannot start to write while another process writes.
 * `immediate` takes the lock at the start, so the transaction waits instead of failing.
 */
const BEGIN = 'begin immediate'

type Needs = {
  connection: SqliteConnection
  turns: FileTurn
  freeze: Freeze
  /** How long a change waits for its turn and for other processes. */
  mostMs: number
}

type Executed = Pick<Statement, 'sql' | 'parameters' | 'first'>

/**
 * One connection, which its users take in turn. A single statement needs no turn if nobody has one:
 * the database is synchronous, so nothing can come in between. Nor does a read while the owner of the
 * turn waits for another process, which keeps nobody from reading.
 */
export function createSqliteDriver({ connection, turns, freeze, mostMs }: Needs): StatementDriver {
  let isDestroyed = false
  /** When the owner of the turn asked for it. Null as soon as the lock was asked for, too. */
  let askedAt: number | null = null
  /** The owner of the turn waits for another process. */
  let isWaiting = false

  function refuseIfDestroyed(): void {
    if (isDestroyed) throw new Error('driver has already been destroyed')
  }

  const handedOut: DatabaseConnection = { streamQuery, executeQuery: runInTurn }
  const driver: StatementDriver = {
    async run<Row>(statement: Statement) {
      if (turns.isFree() || (isWaiting && isRead(statement.sql))) {
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
        return await runInTurn<Row>(statement)
      } finally {
        turns.give()
      }
    },

    async init() {},

    async acquireConnection() {
      const now = performance.now()
      await turns.take()
      askedAt = now
      try {
        refuseIfDestroyed()
        connection.renew()
      } catch (error) {
        turns.give()
        throw error
      }
      return handedOut
    },

    beginTransaction: begin,
    async commitTransaction() {
      connection.command('commit')
    },

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

  function execute<Row>({ sql, parameters, first = false }: Executed): QueryResult<Row> {
    refuseIfFrozen(freeze, sql)
    return connection.run(sql, parameters, first)
  }

  /** Inside a transaction nothing waits: the lock was taken at its start. */
  async function runInTurn<Row>(statement: Executed): Promise<QueryResult<Row>> {
    try {
      return execute<Row>(statement)
    } catch (error) {
      if (!isBusy(error) || connection.database.inTransaction) throw error
    }
    await begin()
    try {
      const result = execute<Row>(statement)
      connection.command('commit')
      return result
    } catch (error) {
      await driver.rollbackTransaction(handedOut)
      throw error
    }
  }

  /**
   * Takes the lock, and waits while another process has it. The driver could wait, too, but it would
   * stop the whole thread, and with it every other request. It would also sleep longer and longer, and
   * so miss its turn. The wait for the turn counts. Otherwise each of those who wait would wait for all
   * before it. It counts once, since one turn may have several transactions.
   */
  async function begin(): Promise<void> {
    const since = askedAt ?? performance.now()
    askedAt = null
    try {
      for (;;) {
        try {
          refuseIfFrozen(freeze, BEGIN)
          return connection.command(BEGIN)
        } catch (error) {
          if (!isBusy(error) || performance.now() - since > mostMs) throw error
        }
        isWaiting = true
        await pause(RETRY_EVERY_MS)
      }
    } finally {
      isWaiting = false
    }
  }
}
