import { setTimeout as pause } from 'node:timers/promises'
import { randomInt } from '../kernel/random.ts'
import { isConflict } from './faults.ts'
import { type Db, type Handle, handleOf, kyselyOf, type Tx } from './handle.ts'

const TRIES = 4
const PAUSE_MS = 50

/** What happens outside the database once a transaction is committed. */
const effects = new WeakMap<Handle, Set<() => void>>()

/**
 * All or nothing. When PostgreSQL ends it for a deadlock or a conflict it is tried again, on the
 * same connection and so within the same deadline. The work must therefore be safe to repeat: every
 * query in it gets `tx`, and nothing there hashes, mails or fetches.
 *
 * Locks are taken in one order, or two transactions could wait for each other: first the row of the
 * user, then what belongs to that user, then the limits and the outbox; never a second user.
 */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let kept = new Set<() => void>()
  const result = await kyselyOf(db)
    .connection()
    .execute(async (connection) => {
      for (let tries = 1; ; tries++) {
        try {
          return await connection.transaction().execute((trx) => {
            const tx = handleOf<Tx>(trx)
            // Of the try that is kept, and of no other.
            kept = new Set()
            effects.set(tx, kept)
            return work(tx)
          })
        } catch (error) {
          if (!isConflict(error) || tries === TRIES) throw error
        }
        // Not all at once again.
        await pause(randomInt(PAUSE_MS))
      }
    })
  for (const effect of kept) effect()
  return result
}

/** Once it is sure that it was not in vain; outside a transaction that is at once. */
export function afterCommit(handle: Handle, effect: () => void): void {
  const waiting = effects.get(handle)
  if (waiting) waiting.add(effect)
  else effect()
}
