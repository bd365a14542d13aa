import type { Kysely } from 'kysely'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/all.ts'
import type { Database } from './schema.ts'

/** Runs all migrations in memory, and returns what is read from the result. */
export async function inMigratedMemory<T>(read: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const connection = connect({
    DATABASE_URL: 'sqlite::memory:',
    DATABASE_READ_TIMEOUT: 0,
    DATABASE_WRITE_TIMEOUT: 0,
  })
  try {
    await migrate(connection, migrations, 0)
    return await read(connection.db)
  } finally {
    await connection.close()
  }
}
