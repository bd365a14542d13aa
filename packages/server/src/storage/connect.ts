import { type Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { once } from '../kernel/promises.ts'
import { connectSqlite } from './connect-sqlite.ts'
import type { Deadlines } from './deadlines.ts'
import type { Freeze } from './freeze.ts'
import { createPostgresDriver } from './postgres-driver.ts'
import type { Pooler, PoolOptions, PostgresPool } from './postgres-pool.ts'
import type { Database } from './schema.ts'
import { kyselyOver } from './statements.ts'

export type Engine = 'sqlite' | 'postgres'

export type Connection = {
  db: Kysely<Database>
  /** The same database for work that no request waits for. Its transactions have no deadlines. */
  patientDb: Kysely<Database>
  /** The same database for checking that it works. On PostgreSQL it gets a connection before all others. */
  urgentDb: Kysely<Database>
  engine: Engine
  /**
   * What is between us and PostgreSQL, as far as we have seen. Null for SQLite, and before the first
   * query.
   */
  pooler(): Pooler | null
  /**
   * Removes what was deleted from the journal of SQLite, unless another process uses the file at this
   * moment. For PostgreSQL, its operator decides how long such data is kept.
   */
  emptyJournal(): Promise<void>
  /** Writes are refused while it is on. */
  freeze: Freeze
  /** SQLite only: call it once a second, to notice that the file was deleted or replaced. */
  checkFile(): void
  /** SQLite only: true if another process holds the write lock at this moment. */
  isLocked(): Promise<boolean>
  /** Ends every connection, whichever handle was used; a second call does nothing. */
  close(): Promise<void>
}

type DatabaseSettings = {
  DATABASE_URL: string
  DATABASE_READ_TIMEOUT: number
  DATABASE_WRITE_TIMEOUT: number
  DATABASE_POOLER?: PoolOptions['pooler']
}

type Log = { info(details: object, words: string): void }

/** Opens the database that `DATABASE_URL` names. The log gets what changes between us and it. */
export function connect(settings: DatabaseSettings, log?: Log): Connection {
  const { DATABASE_URL: url, DATABASE_READ_TIMEOUT, DATABASE_WRITE_TIMEOUT } = settings
  const deadlines = { readMs: DATABASE_READ_TIMEOUT, writeMs: DATABASE_WRITE_TIMEOUT }
  const freeze: Freeze = { isOn: false }
  if (url.startsWith('sqlite:')) {
    return openSqliteFile(url.slice('sqlite:'.length), deadlines, freeze)
  }
  const tell = (details: object, words: string) => log?.info(details, words)
  const pooler = settings.DATABASE_POOLER ?? 'auto'
  return openPostgres(url, { ...deadlines, pooler, tell }, freeze)
}

/** The same for a file, or `:memory:`. */
export function openSqliteFile(file: string, deadlines: Deadlines, freeze: Freeze): Connection {
  const sqlite = connectSqlite(file, deadlines, freeze)
  const { db } = sqlite
  return { ...sqlite, patientDb: db, urgentDb: db, engine: 'sqlite', freeze, pooler: () => null }
}

const PATIENT: Deadlines = { readMs: Number.POSITIVE_INFINITY, writeMs: Number.POSITIVE_INFINITY }

/** Three handles over the same pool: with deadlines, without, and for checks, which come first. */
function openPostgres(url: string, options: PoolOptions, freeze: Freeze): Connection {
  let pool: PostgresPool | undefined
  const openPool = once(async () => {
    // The package is large, and SQLite does not need it.
    const { createPostgresPool } = await import('./postgres-pool.ts')
    pool = createPostgresPool(url, options)
    return pool
  })
  const handle = (use: Parameters<typeof createPostgresDriver>[1]) =>
    kyselyOver(createPostgresDriver(openPool, use, freeze), {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    })
  return {
    db: handle(options),
    patientDb: handle(PATIENT),
    urgentDb: handle({ ...options, isUrgent: true }),
    engine: 'postgres',
    freeze,
    pooler: () => pool?.pooler() ?? null,
    emptyJournal: async () => {},
    checkFile: () => {},
    isLocked: async () => false,
    // The handles share the pool, so none of them ends it.
    async close(): Promise<void> {
      const loaded = await openPool.ifLoaded()
      await loaded?.end()
    },
  }
}
