import pg from 'pg'
import type { Deadlines } from './deadlines.ts'

export type PostgresPool = ReturnType<typeof createPostgresPool>

const KEEP_ALIVE_AFTER_MS = 10_000
/** The server gives up a little earlier than we do: then it says so, and the connection stays. */
const SERVER_SHARE = 0.9

/**
 * Connections that are kept for the next query. One that fails may be the first to notice that the
 * server is gone, frozen or a stand-by, or that a firewall has forgotten us; those made before it
 * would each cost a request its deadline to find out the same. So they all go with it.
 */
export function createPostgresPool(url: string, { readMs, writeMs }: Deadlines) {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: readMs,
    // Also ends at the server what we have given up, even if no word of ours reaches it.
    statement_timeout: Math.ceil(writeMs * SERVER_SHARE),
    idle_in_transaction_session_timeout: writeMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'latchkey',
    types: { getTypeParser: parserFor },
  })
  let generation = 0
  const generations = new WeakMap<pg.PoolClient, number>()
  const isOld = (client: pg.PoolClient) => generations.get(client) !== generation

  pool.on('connect', (client) => {
    generations.set(client, generation)
    // For its whole life: the pool listens to idle ones only, and an error that nobody listens to
    // ends the process. Whoever has a query under way hears of it by its rejection.
    client.on('error', ignore)
  })
  pool.on('error', ignore)

  function release(client: pg.PoolClient): void {
    // Without a farewell: on a dead connection there would be no answer to wait for.
    if (isOld(client)) client.connection.stream.destroy()
    client.release(isOld(client))
  }

  /** Borrowing is the one way to an idle connection. */
  function releaseIdle(): void {
    for (let count = pool.idleCount; count > 0; count--) pool.connect().then(release, ignore)
  }

  return {
    connect: () => pool.connect(),
    release,

    /** For one that has failed, and with it all that were made before. */
    discard(client: pg.PoolClient): void {
      if (!isOld(client)) {
        generation++
        releaseIdle()
      }
      release(client)
    },

    /** A statement with a name is parsed and planned once per connection. */
    nameOf: createNames(),

    end: () => pool.end(),
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

/** Our wide integers are times and counts, all exact as numbers. */
const INT8 = 20
function parserFor(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')
}
