import {
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { Deadlines } from './deadlines.ts'
import { createPostgresDriver } from './postgres-driver.ts'
import { createPostgresPool, type PostgresPool } from './postgres-pool.ts'
import type { Database } from './schema.ts'

const PATIENT: Deadlines = { readMs: Number.POSITIVE_INFINITY, writeMs: Number.POSITIVE_INFINITY }

/** Two handles over the same pool: one with deadlines, one without. */
export function connectPostgres(url: string, deadlines: Deadlines) {
  const pool = createPostgresPool(url, deadlines)
  return {
    db: new Kysely<Database>({ dialect: dialectOver(pool, deadlines) }),
    patientDb: new Kysely<Database>({ dialect: dialectOver(pool, PATIENT) }),
  }
}

const dialectOver = (pool: PostgresPool, deadlines: Deadlines): Dialect => ({
  createDriver: () => createPostgresDriver(pool, deadlines),
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
})
