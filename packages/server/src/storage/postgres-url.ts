import { userInfo } from 'node:os'
import pg from 'pg'
import { parse } from 'pg-connection-string'

const USUAL_PORT = 5432

/**
 * How to connect, by the URL alone. What it leaves out, `pg` would take from the environment
 * (`PGHOST`, `PGPASSWORD`, `PGSSLMODE` and others) and from the file `.pgpass`.
 */
export function connectionOf(url: string): pg.PoolConfig {
  const { host, port, user, password, database, ssl = false, ...more } = parse(url)
  const name = user || userInfo().username
  return {
    ...more,
    host: host || 'localhost',
    port: Number(port || USUAL_PORT),
    user: name,
    // A function is asked only if the server wants a password.
    password: password || (() => ''),
    database: database || name,
    ssl: ssl as pg.PoolConfig['ssl'],
    Client: StrictClient,
  }
}

/** The driver does not list in its types what it is going to tell the server. */
type Told = { connectionParameters: { options?: string | undefined; replication?: undefined } }

/** For what cannot be given as none: `pg` would ask the environment then, too. */
class StrictClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const { connectionParameters } = this as unknown as Told
    connectionParameters.options = config?.options
    connectionParameters.replication = undefined
  }
}
