import pg from 'pg'
import type { Deadlines } from './deadlines.ts'
import { connectionOf } from './postgres-url.ts'

export type PostgresPool = ReturnType<typeof createPostgresPool>

const KEEP_ALIVE_AFTER_MS = 10_000
/**
 * The server gives up a little earlier than we do. Then it reports the time-out itself, and the
 * connection can be kept.
 */
const SERVER_SHARE = 0.9

/**
 * A pool of connections. A failure of one may be the first sign that the server is gone, frozen or
 * a stand-by, or that a firewall dropped the connections. Each older connection would cost a
 * request its whole deadline to notice the same. So a failure closes all connections that are as
 * old or older.
 */
export function createPostgresPool(url: string, { readMs, writeMs }: Deadlines) {
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: readMs,
    // Ends a query at the server after we have given it up, even if our cancel request is lost.
    statement_timeout: Math.ceil(writeMs * SERVER_SHARE),
    idle_in_transaction_session_timeout: writeMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'latchkey',
    types: { getTypeParser: parserFor },
    // Last: a URL may set some of these, too.
    ...connectionOf(url),
  })
  let generation = 0
  const generations = new WeakMap<pg.PoolClient, number>()
  const isOld = (client: pg.PoolClient) => generations.get(client) !== generation

  pool.on('connect', (client) => {
    generations.set(client, generation)
    // The listener stays for the whole life of the connection. The pool listens only while it is
    // idle, and an `error` event without a listener ends the process. A running query is told by
    // its rejection.
    client.on('error', ignore)
  })
  pool.on('error', ignore)

  function release(client: pg.PoolClient): void {
    // Closes without the usual goodbye: a dead connection would never answer it.
    if (isOld(client)) client.connection.stream.destroy()
    client.release(isOld(client))
  }

  /** The pool offers no other way to reach its idle connections than to borrow them. */
  function releaseIdle(): void {
    for (let count = pool.idleCount; count > 0; count--) pool.connect().then(release, ignore)
  }

  return {
    connect: () => pool.connect(),
    release,

    /** Closes a connection that has failed, and all that are as old or older. */
    discard(client: pg.PoolClient): void {
      if (!isOld(client)) {
        generation++
        releaseIdle()
      }
      release(client)
    },

    /** The server parses and plans a named statement once per connection. */
    nameOf: createNames(),

    async end(): Promise<void> {
      if (!pool.ending) await pool.end()
    },
  }
}

function createNames() {
  const names = new Map<string, string>()
  return (text: string): string => {
    const name = names.get(text) ?? `latchkey_${names.size}`
    names.set(text, name)
    return name
  }
}

const ignore = () => {}

/** Our 64-bit integers are times and counts, which a JavaScript number holds exactly. */
const INT8 = 20
function parserFor(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
}
