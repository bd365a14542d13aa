import { type Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Deadlines } from './deadlines.ts'
import type { Gate } from './freeze.ts'
import { createPostgresDriver } from './postgres-driver.ts'
import type { PoolOptions, PostgresPool } from './postgres-pool.ts'
import { kyselyOver } from './statements.ts'

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
    db: kyselyOver(createPostgresDriver(openPool, options, gate), PARTS),
    patientDb: kyselyOver(createPostgresDriver(openPool, PATIENT, gate), PARTS),
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

const PARTS = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
}
