import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { randomInt } from '../kernel/random.ts'
import { isConflict } from './faults.ts'
import type { Database } from './schema.ts'

const TRIES = 4
const PAUSE_MS = 50

/**
 * All or nothing. When PostgreSQL ends it for a deadlock or a conflict it is tried again, on the
 * same connection and so within the same deadline. The work must therefore be safe to repeat: it
 * does nothing outside the database.
 *
 * Locks are taken in one order, or two transactions could wait for each other: first the row of the
 * user, then what belongs to that user, then the limits and the outbox; never a second user.
 */
export function transaction<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    for (let tries = 1; ; tries++) {
      try {
        return await connection.transaction().execute(work)
      } catch (error) {
        if (!isConflict(error) || tries === TRIES) throw error
      }
      // Not all at once again.
      await pause(randomInt(PAUSE_MS))
    }
  })
}
