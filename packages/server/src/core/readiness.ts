import { type Clock, SECOND } from '../kernel/clock.ts'
import { createRemembered } from '../kernel/remembered.ts'
import { checkWritable } from '../storage/check-writable.ts'
import type { Connection } from '../storage/connect.ts'
import { type Db, handleOf } from '../storage/handle.ts'
import { type Migration, missingMigrations } from '../storage/migrate.ts'

type Needs = { migrations: readonly Migration[]; clock: Clock }

/**
 * Throws if the database cannot be reached or written to, or is not up to date. Anybody can ask, and
 * each check costs a write. So a good result is reused for a second.
 */
export function createReadiness(connection: Connection, { migrations, clock }: Needs) {
  async function check(): Promise<void> {
    const missing = await missingMigrations(connection, migrations)
    if (missing.length > 0) {
      throw new Error(`Migrations are due: ${missing.join(', ')}. "latchkey migrate" runs them.`)
    }
    if (!connection.freeze.isOn) await checkWritable(handleOf<Db>(connection.db))
  }
  return createRemembered(check, { clock, lifetimeMs: SECOND }).get
}
