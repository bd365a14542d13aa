import {
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { Deadlines } from './deadlines.ts'
import { freezable, type Gate } from './freeze.ts'
import { createPostgresDriver } from './postgres-driver.ts'
import type { PoolOptions, PostgresPool } from './postgres-pool.ts'
import type { Database } from './schema.ts'

const PATIENT: Deadlines = { readMs: Number.POSITIVE_INFINITY, writeMs: Number.POSITIVE_INFINITY }

/** Two handles over the same pool: one with deadlines, one without. */
export function connectPostgres(url: string, options: PoolOptions, gate: Gate) {
  let pool: Promise<PostgresPool> | undefined
  let opened: PostgresPool | undefined
  const openPool = () => {
    pool ??= loadPool(url, options).then((loaded) => {
      opened = loaded
      return loaded
    })
    return pool
  }
  return {
    db: new Kysely<Database>({ dialect: freezable(dialectOver(openPool, options), gate) }),
    patientDb: new Kysely<Database>({ dialect: freezable(dialectOver(openPool, PATIENT), gate) }),
    pooler: () => opened?.pooler() ?? null,
    // Not by way of a handle: one that was never used would leave the pool of the other open.
    close: async () => (await pool)?.end(),
  }
}

/** The package is large, and SQLite does not need it. */
async function loadPool(url: string, options: PoolOptions): Promise<PostgresPool> {
  const { createPostgresPool } = await import('./postgres-pool.ts')
  return createPostgresPool(url, options)
}

const dialectOver = (openPool: () => Promise<PostgresPool>, deadlines: Deadlines): Dialect => ({
  createDriver: () => createPostgresDriver(openPool, deadlines),
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
})
