import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Database } from './schema.ts'

/** No statement, and no wait for a connection, may hold a request for longer. */
const STATEMENT_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 5000

export function connectPostgres(url: string): Kysely<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'latchkey',
    types: { getTypeParser: parserFor },
  })
  // An idle connection that the server ends is replaced at the next query; without a listener
  // it would end the process.
  pool.on('error', () => {})
  return new Kysely({ dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }) })
}

/** Our wide integers are times and counts, all exact as numbers. */
const INT8 = 20
function parserFor(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
}

/** A statement with a name is parsed and planned once per connection. */
function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const name = names.get(text) ?? `latchkey_${names.size}`
    names.set(text, name)
    return name
  }
  return {
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const query = (text: string, values: unknown[]) =>
        client.query(values.length > 0 ? { name: nameOf(text), text, values } : text)
      // Kysely types a client's query with cursors too, which we never use.
      return { query, release: () => client.release() } as unknown as PostgresPoolClient
    },
  }
}
