import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { createPauses, type Deadlines } from './deadlines.ts'
import {
  canRepeat,
  codedError,
  endsConnection,
  isMixedUp,
  isOutdatedPlan,
  isStandBy,
  notConnected,
  outcomeUnknown,
  rolledBack,
} from './faults.ts'
import { type Freeze, refuseIfFrozen } from './freeze.ts'
import type { Lent, PostgresPool } from './postgres-pool.ts'
import type { Answer } from './postgres-query.ts'
import { type StatementDriver, streamQuery } from './statements.ts'

/** A connection in use, and the time that is left for using it. */
type Held = DatabaseConnection & {
  /** Sets a new deadline, counted from the moment the connection was asked for. */
  allow(ms: number): void
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  release(): void
}

type Use = Deadlines & {
  /** Gets a connection before all others who wait. */
  isUrgent?: boolean
}

/**
 * One timer for each use of a connection. It covers the wait for the connection and every statement
 * on it, and costs no round trip. When it fires, the connection is closed and never used again.
 * Otherwise its late answer would be taken for the answer to the next query.
 */
export function createPostgresDriver(
  openPool: () => Promise<PostgresPool>,
  { readMs, writeMs, isUrgent = false }: Use,
  freeze: Freeze,
): StatementDriver {
  return {
    async run(statement) {
      const held = await acquire()
      try {
        return await held.executeQuery(statement)
      } finally {
        held.release()
      }
    },
    async init() {},
    acquireConnection: acquire,
    async beginTransaction(connection) {
      const held = connection as Held
      held.allow(writeMs)
      await held.begin()
    },
    commitTransaction: (connection) => (connection as Held).commit(),
    rollbackTransaction: (connection) => (connection as Held).rollback(),
    releaseConnection: async (connection) => (connection as Held).release(),
    async destroy() {},
  }

  function refuse(error: unknown): never {
    throw notConnected(error)
  }

  async function acquire(): Promise<Held> {
    const pool = await openPool().catch(refuse)
    const askedAt = performance.now()
    const client = await pool.connect(isUrgent).catch(refuse)
    const held = hold(pool, client, askedAt)
    held.allow(readMs)
    return held
  }

  function hold(pool: PostgresPool, client: Lent, askedAt: number): Held {
    let timer: NodeJS.Timeout | undefined
    let isInTransaction = false
    /** True if the server's plans are older than its tables. */
    let isOutdated = false
    /** True if the server has refused a write as read-only. */
    let isReadOnly = false
    /** The reason why the connection must not be used again. */
    let end: unknown

    function giveUp(ms: number): void {
      end = codedError('ETIMEDOUT', `No answer from the database within ${ms} ms.`)
      client.cancel()
      client.abandon()
    }

    /** Notes what an error of the server says about the connection. Returns the error to throw. */
    function failure(error: unknown): unknown {
      if (endsConnection(error)) end ??= error
      if (isMixedUp(error)) pool.distrust(client)
      isOutdated ||= isOutdatedPlan(error)
      isReadOnly ||= isStandBy(error)
      return end ?? error
    }

    function execute(text: string, values: unknown[]): Promise<Answer> {
      if (values.length === 0) return client.query(text)
      const isKept = !isOutdated && values.length <= VALUES_KEPT
      const name = isKept ? pool.nameFor(client, text) : undefined
      return name === undefined
        ? client.query({ text, values })
        : client.named({ name, text, values })
    }

    /** Throws if the server has ended a commit although a synchronous stand-by lacks it. */
    function checkCommitted(): void {
      if (client.isWarned) throw outcomeUnknown('The server has warned about the commit.')
    }

    return {
      streamQuery,

      /** Outside of a transaction, a statement that meets a conflict is repeated. */
      async executeQuery<Row>({ sql: text, parameters }: CompiledQuery) {
        refuseIfFrozen(freeze, text)
        let pauses: ReturnType<typeof createPauses> | undefined
        for (;;) {
          try {
            client.isWarned = false
            const result = await execute(text, parameters as unknown[])
            if (!isInTransaction) checkCommitted()
            return asResult<Row>(result)
          } catch (error) {
            // Until here its stack begins at the socket. Now it leads to the code that asked.
            if (error instanceof Error) Error.captureStackTrace(error)
            const failed = failure(error)
            if (isInTransaction || !canRepeat(failed)) throw failed
            pauses ??= createPauses()
            if (!(await pauses.take())) throw failed
          }
        }
      },

      allow(ms) {
        clearTimeout(timer)
        if (ms === Number.POSITIVE_INFINITY) return
        timer = setTimeout(giveUp, ms - Math.round(performance.now() - askedAt), ms)
      },

      async begin() {
        refuseIfFrozen(freeze, 'begin')
        isInTransaction = true
        try {
          await client.begin(writeMs !== Number.POSITIVE_INFINITY)
        } catch (error) {
          throw failure(error)
        }
      },

      async commit() {
        client.isWarned = false
        try {
          const { command } = await client.query('commit')
          // The server rolls back if a statement has failed, and does not call that an error.
          if (command !== 'COMMIT') throw rolledBack()
          checkCommitted()
        } catch (error) {
          throw failure(error)
        }
      },

      /** Never throws: the caller needs the error that came before it. */
      async rollback() {
        isInTransaction = false
        if (end) return
        try {
          await client.query('rollback')
        } catch (error) {
          end ??= error
        }
      },

      release() {
        clearTimeout(timer)
        if (end || isOutdated) pool.discard(client)
        else if (isReadOnly) pool.releaseReadOnly(client)
        else pool.release(client)
      },
    }
  }
}

/**
 * A statement with more values has a list of any length, as in an import. Each length is another
 * statement, and the server would keep all of them until the connection ends: a megabyte each.
 */
const VALUES_KEPT = 128

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function asResult<Row>({ command, rowCount, rows }: Answer): QueryResult<Row> {
  if (!CHANGES.has(command)) return { rows: rows as Row[] }
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
}
