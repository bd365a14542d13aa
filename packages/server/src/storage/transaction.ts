import { createPauses } from './deadlines.ts'
import { canRepeat } from './faults.ts'
import { type Db, type Handle, handleOf, isSqlite, kyselyOf, type Tx } from './handle.ts'

/** What has to happen outside the database after the commit. */
const effects = new WeakMap<Handle, Set<() => void>>()

/**
 * Runs all of the work or nothing. If PostgreSQL ends the transaction because of a deadlock or a
 * conflict, the work runs again on the same connection, within the same deadline. So the work must
 * be safe to repeat: every query in it gets `tx`, and it never hashes, mails or fetches. If the
 * outcome of the commit is unknown, it throws.
 *
 * Locks are taken in one order; otherwise two transactions could wait for each other. First the row
 * of the user, then what belongs to the user, then limits, outbox and lines of events. Never
 * lock a second user.
 */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let kept = new Set<() => void>()
  const result = await kyselyOf(db)
    .connection()
    .execute(async (connection) => {
      const pauses = createPauses()
      for (;;) {
        try {
          return await connection.transaction().execute((trx) => {
            const tx = handleOf<Tx>(trx)
            // Effects of an earlier, failed try are dropped.
            kept = new Set()
            effects.set(tx, kept)
            return work(tx)
          })
        } catch (error) {
          if (!canRepeat(error) || !(await pauses.take())) throw error
        }
      }
    })
  for (const effect of kept) effect()
  return result
}

/**
 * Reads for as long as it takes. Only a transaction of PostgreSQL needs that said. On SQLite no read has a
 * deadline, and a transaction would keep all others from writing.
 */
export const readPatiently = <T>(
  patientDb: Db,
  read: (handle: Handle) => Promise<T>,
): Promise<T> => (isSqlite(kyselyOf(patientDb)) ? read(patientDb) : transaction(patientDb, read))

/** Runs the effect after the commit, or at once if there is no transaction. */
export function afterCommit(handle: Handle, effect: () => void): void {
  const waiting = effects.get(handle)
  if (waiting) waiting.add(effect)
  else effect()
}
