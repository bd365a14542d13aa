import { type Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { once } from '../kernel/promises.ts'
import type { Deadlines } from './deadlines.ts'
import type { Freeze } from './freeze.ts'
import { createPostgresDriver } from './postgres-driver.ts'
import type { PoolOptions, PostgresPool } from './postgres-pool.ts'
import { kyselyOver } from './statements.ts'

const PATIENT: Deadlines = { readMs: Number.POSITIVE_INFINITY, writeMs: Number.POSITIVE_INFINITY }

/** Three handles over the same pool: with deadlines, without, and for checks, which come first. */
export function connectPostgres(url: string, options: PoolOptions, freeze: Freeze) {
  let pool: PostgresPool | undefined
  const openPool = once(async () => {
    pool = await loadPool(url, options)
    return pool
  })
  return {
    db: kyselyOver(createPostgresDriver(openPool, options, freeze), PARTS),
    patientDb: kyselyOver(createPostgresDriver(openPool, PATIENT, freeze), PARTS),
    urgentDb: kyselyOver(
      createPostgresDriver(openPool, { ...options, isUrgent: true }, freeze),
      PARTS,
    ),
    pooler: () => pool?.pooler() ?? null,
    // The handles share the pool, so none of them ends it.
    async close(): Promise<void> {
      const loaded = await openPool.ifLoaded()
      await loaded?.end()
    },
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
