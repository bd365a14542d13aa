import { connect } from 'node:net'
import { userInfo } from 'node:os'
import pg from 'pg'
import { parse } from 'pg-connection-string'
import { hostUrls } from '../kernel/postgres-hosts.ts'
import { type Answer, type Layouts, NamedQuery, type NamedStatement } from './postgres-query.ts'

const USUAL_PORT = 5432
const CANCEL_REQUEST = 80_877_102
const CANCEL_PATIENCE_MS = 2000
/** The function of the server that waits for stand-bys. Its warnings have no code of their own. */
const SYNC_WAIT = 'SyncRepWaitForLSN'
/** Other defaults would let a transaction that has waited for a lock read what was there before. */
const BEGIN = 'begin isolation level read committed'
/** As the server understands it. */
export const NO_DEADLINES = { statementMs: 0, idleMs: 0 }

/** How to reach one host. */
export type HostConfig = pg.ClientConfig & {
  host: string
  port: number
  /** Deadlines of the server, in milliseconds, if the URL names them. */
  statementMs?: number
  idleMs?: number
}

export type ClientOptions = {
  /** `DATABASE_POOLER`. */
  pooler: 'auto' | 'none' | 'transaction'
  /** How long connecting may take. */
  connectMs: number
  /** After this time the server ends a statement. */
  statementMs: number
  /** After this time the server ends a transaction in which nothing happens. */
  idleMs: number
}

/** The driver does not declare these members. */
type Undeclared = {
  connectionParameters: { options?: string | undefined; replication?: undefined }
  /** The server's own id for the connection, and the key to cancel its query. */
  processID: number | null
  secretKey: number | null
}

/**
 * How to reach each host of the URL, by the URL alone. What it leaves out, `pg` would take from the
 * environment (`PGHOST`, `PGPASSWORD`, `PGSSLMODE` and others) and from the file `.pgpass`.
 */
export function hostsOf(url: string): [HostConfig, ...HostConfig[]] {
  const [first, ...others] = hostUrls(url).map(configOf)
  if (!first) throw new Error('DATABASE_URL names no host.')
  return [first, ...others]
}

function configOf(url: string): HostConfig {
  const { host, port, user, password, ssl = false, ...rest } = parse(url)
  const { statement_timeout, idle_in_transaction_session_timeout, ...more } = rest as Params
  const name = user || userInfo().username
  return {
    ...more,
    host: host?.replace(/^\[(.*)\]$/, '$1') || 'localhost',
    port: Number(port || USUAL_PORT),
    user: name,
    // A function is asked only if the server wants a password.
    password: password || (() => ''),
    // `parse` leaves an encoded `/`, `?` or `#` as it is.
    database: decodeURIComponent(new URL(url).pathname.slice(1)) || name,
    ssl: ssl as HostConfig['ssl'] & {},
    ...millisecondsOf('statementMs', statement_timeout),
    ...millisecondsOf('idleMs', idle_in_transaction_session_timeout),
  }
}

type Params = Record<string, string | undefined>

function millisecondsOf(name: 'statementMs' | 'idleMs', text: string | undefined) {
  return text === undefined ? {} : { [name]: Number(text) }
}

/**
 * A connection that knows what it leads to. Deadlines are not part of the start packet, since poolers
 * refuse it then.
 */
export class PostgresClient extends pg.Client {
  /**
   * True if no pooler is in between. A pooler may change the server's connection with every
   * transaction, so prepared statements and settings would end up in those of others. Cancelling a
   * query could hit theirs, too.
   */
  isDirect = false
  /** True on a stand-by. */
  isReadOnly = false
  /**
   * True if the server has warned, since this was last set to false, that a synchronous stand-by may
   * lack a commit. Other warnings, of a trigger for example, say nothing about the commit.
   */
  isWarned = false
  readonly #options: ClientOptions
  readonly #layouts: Layouts = new Map()

  constructor(config: HostConfig, options: ClientOptions) {
    super(config)
    const { statementMs = options.statementMs, idleMs = options.idleMs } = config
    this.#options = { ...options, statementMs, idleMs }
    // `pg` would take these from the environment.
    const { connectionParameters } = this as unknown as Undeclared
    connectionParameters.options = config.options
    connectionParameters.replication = undefined
    // An `error` event without a listener ends the process. A query is told by its rejection.
    this.on('error', () => {})
    this.on('notice', ({ routine }) => {
      this.isWarned ||= routine === SYNC_WAIT
    })
  }

  // The pool passes a callback.
  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = this.#connect()
    if (!callback) return connected
    connected.then(() => (callback as () => void)(), callback)
    return undefined
  }

  async #connect(): Promise<pg.Client> {
    const timer = setTimeout(() => this.abandon(), this.#options.connectMs)
    try {
      await super.connect()
      await this.#look()
      return this
    } catch (error) {
      this.abandon()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Finds out where the connection leads, in one statement. A pooler invents an id for the connection,
   * so the one that the server knows differs. Only a direct connection gets its deadlines and its
   * warnings here: a pooler would pass the settings on to others.
   */
  async #look(): Promise<void> {
    const { pooler, statementMs, idleMs } = this.#options
    const { processID } = this as unknown as Undeclared
    const isDirect = { auto: `pg_backend_pid() = ${processID}`, none: 'true', transaction: 'false' }
    const { rows } = await this.query<{ is_direct: boolean | null; is_read_only: boolean }>(
      `select ${isDirect[pooler]} as is_direct,
        current_setting('transaction_read_only') = 'on' as is_read_only,
        case when ${isDirect[pooler]} then
          set_config('statement_timeout', '${statementMs}', false)
          || set_config('idle_in_transaction_session_timeout', '${idleMs}', false)
          || set_config('client_min_messages', 'warning', false)
        end as settings`,
    )
    this.isDirect = rows[0]?.is_direct ?? false
    this.isReadOnly = rows[0]?.is_read_only ?? false
  }

  /** Executes a statement that the server keeps for the next time. */
  named(statement: NamedStatement): Promise<Answer> {
    return new Promise((resolve, reject) =>
      this.query(new NamedQuery(statement, this.#layouts, { resolve, reject })),
    )
  }

  /** Begins a transaction. A direct connection has its settings already. */
  begin(withDeadlines: boolean): Promise<unknown> {
    if (this.isDirect && withDeadlines) return this.query(BEGIN)
    const { statementMs, idleMs } = withDeadlines ? this.#options : NO_DEADLINES
    return this.query(`${BEGIN}; set local client_min_messages = warning;
      set local statement_timeout = ${statementMs};
      set local idle_in_transaction_session_timeout = ${idleMs}`)
  }

  /** Closes without the usual goodbye, which a dead connection would never answer. */
  abandon(): void {
    this.connection.stream.destroy()
  }

  /**
   * Asks the server to stop the query of a connection that we give up, since the query may hold locks.
   * The request goes over a new connection. It may get lost: `statement_timeout` ends the query in any
   * case. It is not encrypted, as the protocol allows: the key in it can only cancel this one connection.
   */
  cancel(): void {
    const { processID, secretKey } = this as unknown as Undeclared
    if (!this.isDirect || processID === null || secretKey === null) return
    const { host, port } = this
    const socket = connect(
      host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
    )
    socket.unref()
    socket.setTimeout(CANCEL_PATIENCE_MS, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('data', () => {})
    const message = Buffer.alloc(16)
    for (const [i, part] of [message.length, CANCEL_REQUEST, processID, secretKey].entries()) {
      message.writeInt32BE(part, 4 * i)
    }
    socket.end(message)
  }
}
