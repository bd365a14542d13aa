import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Deadlines } from './deadlines.ts'
import { standBy } from './faults.ts'
import { type ClientOptions, type HostConfig, hostsOf, PostgresClient } from './postgres-client.ts'
import { nameOf, PROBE_PATIENCE_MS, searchPrimary } from './postgres-primary.ts'
import { parserFor } from './postgres-query.ts'
import { createWaiters } from './postgres-waiters.ts'

export type PostgresPool = ReturnType<typeof createPostgresPool>

/** A connection that is lent out. */
export type Lent = PostgresClient & Pick<pg.PoolClient, 'release'>

/** What was found between us and the server. */
export type Pooler = 'none' | 'transaction'

export type PoolOptions = Deadlines & {
  pooler: ClientOptions['pooler']
  /** Tells the operator in the log. */
  tell(details: object, words: string): void
}

const MOST = 10
/**
 * A pooler that pools by session has this connection for nobody else until we close it. A new one to a
 * pooler is cheap.
 */
const IDLE_AT_POOLER_MS = 1000
const KEEP_ALIVE_AFTER_MS = 10_000
/** How often refused writes may replace all connections. */
const RENEW_EVERY_MS = 1000
/**
 * The server gives up a little earlier than we do. Then it reports the time-out itself, and the
 * connection can be kept.
 */
const SERVER_SHARE = 0.9

/**
 * A pool of connections to the host that accepts writes. A failure of one connection may be the first
 * sign that the server is gone, frozen or a stand-by, or that a firewall dropped the connections. Each
 * older connection would cost a request its whole deadline to notice the same. So a failure closes all
 * connections that are as old or older, and lets us look for the primary again.
 */
export function createPostgresPool(url: string, options: PoolOptions) {
  const { readMs, writeMs, tell } = options
  const hosts = hostsOf(url)
  const clientOptions: ClientOptions = {
    pooler: options.pooler,
    connectMs: readMs,
    statementMs: Math.ceil(writeMs * SERVER_SHARE),
    idleMs: writeMs,
  }
  const ownConfig = {
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'latchkey',
    types: { getTypeParser: parserFor },
  }
  const probeOptions = { ...clientOptions, connectMs: Math.min(readMs, PROBE_PATIENCE_MS) }
  const probe = (host: HostConfig) => new PostgresClient({ ...ownConfig, ...host }, probeOptions)
  /** New connections go to this host. */
  let [primary] = hosts
  /** False if another host may accept writes by now. */
  let isPrimaryKnown = hosts.length === 1
  let search: Promise<HostConfig> | undefined
  let found: Pooler | null = null
  const names = createNames()
  let generation = 0
  let renewedAt = Number.NEGATIVE_INFINITY
  const generations = new WeakMap<pg.PoolClient, number>()
  const isOld = (client: pg.PoolClient) => generations.get(client) !== generation

  const pool = new pg.Pool({
    max: MOST,
    connectionTimeoutMillis: readMs,
    Client: class extends PostgresClient {
      constructor() {
        super({ ...ownConfig, ...primary }, clientOptions)
      }
    },
  })
  pool.on('connect', (client) => {
    generations.set(client, generation)
    remember((client as Lent).isDirect ? 'none' : 'transaction')
  })
  pool.on('error', ignore)

  const waiters = createWaiters<Lent>({
    connect: () => pool.connect() as Promise<unknown> as Promise<Lent>,
    giveBack,
    idleCount: () => pool.idleCount,
    canGrow: () => pool.totalCount < MOST,
    patienceMs: readMs,
  })

  function remember(pooler: Pooler): void {
    if (pooler !== (found ?? 'none')) tell({ pooler }, WORDS[pooler])
    found = pooler
    if (pooler === 'transaction') pool.options.idleTimeoutMillis = IDLE_AT_POOLER_MS
  }

  async function connect(isUrgent = false): Promise<Lent> {
    if (!isPrimaryKnown) await findPrimary()
    try {
      const client = await waiters.take(isUrgent)
      if (hosts.length === 1 || !client.isReadOnly) return client
      discard(client)
    } catch (error) {
      // If all connections are in use, the pool is only busy. One that fails is discarded.
      if (waiters.inUse() === 0) forgetPrimary()
      throw error
    }
    throw standBy('The primary has become a stand-by.')
  }

  function forgetPrimary(): void {
    isPrimaryKnown = hosts.length === 1
  }

  /** One search for all that wait for it. */
  async function findPrimary(): Promise<void> {
    search ??= searchPrimary(hosts, probe).finally(() => {
      search = undefined
    })
    const host = await search
    isPrimaryKnown = true
    if (host === primary) return
    tell({ host: nameOf(host) }, 'another host of the database accepts writes')
    primary = host
    renew()
  }

  /** All connections until now are closed when they are not in use. */
  function renew(): void {
    generation++
    renewedAt = performance.now()
    // The pool offers no other way to reach its idle connections than to borrow them.
    for (let count = pool.idleCount; count > 0; count--) {
      pool.connect().then((client) => giveBack(client as unknown as Lent), ignore)
    }
  }

  function release(client: Lent): void {
    if (isOld(client)) waiters.drop(client)
    else waiters.give(client)
  }

  function giveBack(client: Lent): void {
    if (isOld(client)) client.abandon()
    client.release(isOld(client))
  }

  /** Closes a connection that has failed, and all that are as old or older. */
  function discard(client: Lent): void {
    if (!isOld(client)) {
      forgetPrimary()
      renew()
    }
    release(client)
  }

  /**
   * Takes back a connection whose write was refused as read-only. A new one may lead to the new primary.
   * If the database stays read-only, lookups need the connections, so not every write replaces them.
   */
  function releaseReadOnly(client: Lent): void {
    if (performance.now() < renewedAt + RENEW_EVERY_MS) release(client)
    else discard(client)
  }

  return {
    connect,
    release,
    releaseReadOnly,
    discard,

    /**
     * The server parses and plans a named statement once per connection. A name is made of the text,
     * so that it can never mean another statement. Undefined where names are not safe.
     */
    nameFor: (client: Lent, text: string): string | undefined =>
      client.isDirect ? names(text) : undefined,

    /** A named statement was missing or already there, so a pooler mixes connections after all. */
    distrust(client: Lent): void {
      client.isDirect = false
      clientOptions.pooler = 'transaction'
      if (found === 'none') renew()
      remember('transaction')
    },

    /** Null before the first connection. */
    pooler: (): Pooler | null => found,

    async end(): Promise<void> {
      if (!pool.ending) await pool.end()
    },
  }
}

const WORDS = {
  none: 'the database is reached without a pooler',
  transaction: 'the database is reached through a pooler, so statements are not prepared',
}

function createNames() {
  const known = new Map<string, string>()
  return (text: string): string => {
    const name = known.get(text) ?? `latchkey_${digestOf(text)}`
    known.set(text, name)
    return name
  }
}

/** Short enough for a name. */
const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 40)

const ignore = () => {}
