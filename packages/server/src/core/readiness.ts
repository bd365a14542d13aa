import { type Clock, SECOND } from '../kernel/clock.ts'
import { createRemembered } from '../kernel/remembered.ts'
import { checkWritable } from '../storage/check-writable.ts'
import type { Connection } from '../storage/connect.ts'
import { type Db, handleOf } from '../storage/handle.ts'
import { missingMigrations } from '../storage/migrate.ts'
import { migrations } from '../storage/migrations/all.ts'

/**
 * Throws if the database cannot be reached or written to, or is not up to date. Anybody can ask, and
 * each check costs a write. So a good result is reused for a second. A check does not wait behind the
 * requests: with too many of them it would be refused, and a load balancer would stop using every instance.
 */
export function createReadiness(connection: Connection, clock: Clock) {
  const { urgentDb: db, freeze } = connection
  async function check(): Promise<void> {
    const missing = await missingMigrations({ ...connection, db }, migrations)
    if (missing.length > 0) {
      throw new Error(`Migrations are due: ${missing.join(', ')}. "latchkey migrate" runs them.`)
    }
    if (!freeze.isOn) await checkWritable(handleOf<Db>(db))
  }
  return createRemembered(check, { clock, lifetimeMs: SECOND }).get
}
