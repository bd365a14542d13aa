import type { Kysely } from 'kysely'
import { connectPostgres } from './connect-postgres.ts'
import { connectSqlite } from './connect-sqlite.ts'
import type { Database } from './schema.ts'

export type Engine = 'sqlite' | 'postgres'

export type Connection = {
  db: Kysely<Database>
  engine: Engine
}

/** Opens the database that `DATABASE_URL` names. */
export function connect(url: string): Connection {
  return url.startsWith('sqlite:')
    ? { db: connectSqlite(url.slice('sqlite:'.length)), engine: 'sqlite' }
    : { db: connectPostgres(url), engine: 'postgres' }
}
