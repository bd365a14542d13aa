import type { DatabaseConnection, Driver, QueryResult } from 'kysely'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { cancelQuery } from './cancel-query.ts'
import type { Deadlines } from './deadlines.ts'
import { endsConnection } from './faults.ts'
import type { PostgresPool } from './postgres-pool.ts'

/** A connection in use, and the time that is left for using it. */
type Held = DatabaseConnection & {
  /** Sets a new deadline, counted from the moment the connection was asked for. */
  allow(ms: number): void
  rollback(): Promise<void>
  release(): void
}

/**
 * One timer for each use of a connection. It covers the wait for the connection and every statement
 * on it, and costs no round trip. When it fires, the connection is closed and never used again.
 * Otherwise its late answer would be taken for the answer to the next query.
 */
export function createPostgresDriver(
  openPool: () => Promise<PostgresPool>,
  deadlines: Deadlines,
): Driver {
  let pool: PostgresPool
  return {
    // Always called first, and again after it has failed.
    async init() {
      pool = await openPool()
    },
    async acquireConnection() {
      const askedAt = performance.now()
      const held = hold(await pool.connect(), askedAt)
      held.allow(deadlines.readMs)
      return held
    },
    async beginTransaction(connection) {
      const held = connection as Held
      held.allow(deadlines.writeMs)
      await held.executeQuery(CompiledQuery.raw('begin'))
    },
    async commitTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw('commit'))
    },
    rollbackTransaction: (connection) => (connection as Held).rollback(),
    releaseConnection: async (connection) => (connection as Held).release(),
    destroy: () => pool.end(),
  }

  function hold(client: pg.PoolClient, askedAt: number): Held {
    let timer: NodeJS.Timeout | undefined
    /** The reason why the connection must not be used again. */
    let end: unknown

    function giveUp(ms: number): void {
      end = Object.assign(new Error(`No answer from the database within ${ms} ms.`), {
        code: 'ETIMEDOUT',
      })
      cancelQuery(client)
      client.connection.stream.destroy()
    }

    async function executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      try {
        const values = parameters as unknown[]
        const query = values.length > 0 ? { name: pool.nameOf(sql), text: sql, values } : sql
        return asResult<Row>(await client.query(query))
      } catch (error) {
        if (endsConnection(error)) end ??= error
        throw end ?? error
      }
    }

    return {
      executeQuery,
      streamQuery,
      allow(ms) {
        clearTimeout(timer)
        if (ms === Number.POSITIVE_INFINITY) return
        timer = setTimeout(giveUp, ms - Math.round(performance.now() - askedAt), ms)
      },
      /** Never throws: the caller needs the error that came before it. */
      async rollback() {
        if (end) return
        try {
          await executeQuery(CompiledQuery.raw('rollback'))
        } catch (error) {
          end ??= error
        }
      },
      release() {
        clearTimeout(timer)
        if (end) pool.discard(client)
        else pool.release(client)
      },
    }
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function asResult<Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> {
  if (!CHANGES.has(command)) return { rows }
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}

/** Results are never streamed in this service. */
function streamQuery(): never {
  throw new Error('Streaming is not supported.')
}
