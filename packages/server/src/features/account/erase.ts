import type { EveryFeature } from '../../core/every-feature.ts'
import type { Log } from '../../kernel/log.ts'
import type { Db, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { ByWhom } from './by-whom.ts'

/** Returns whether there was somebody to delete. */
export type Erase = (choose: Choose, by: ByWhom) => Promise<boolean>

/** Locks the row of the user whose account is deleted. Nobody is deleted without one. */
type Choose = (tx: Tx) => Promise<User | null | undefined>

type Needs = {
  db: Db
  log: Log
  everyFeature: EveryFeature
  audit: Audit
  outbox: Outbox
  events: Events
  emptyJournal(): Promise<void>
  count(): void
}

/**
 * The only way to delete an account. Every feature takes away what it keeps of the user. Two things
 * are left: the last letter until it is sent, and an event with nothing of the user but the pk,
 * which nobody else ever gets. Both are sealed or anonymous, also in the files of the database.
 */
export function createErase(needs: Needs): Erase {
  const { db, log, everyFeature, audit, outbox, events, emptyJournal, count } = needs

  return async (choose, by) => {
    const isErased = await transaction(db, async (tx) => {
      const user = await choose(tx)
      if (!user) return false
      await everyFeature.erase(user, tx)
      await outbox.sayFarewell(user, tx)
      await audit.record({ userId: user.id, event: 'user_deleted', details: by }, tx)
      await events.note('deleted', user, { by: 'operator' in by ? 'operator' : 'user' }, tx)
      return true
    })
    if (!isErased) return false
    count()
    // The account is gone, so nobody may be told that this failed. Every sweep does it again.
    await emptyJournal().catch((error: unknown) =>
      log.warn({ err: error }, 'the journal of the database could not be emptied'),
    )
    return true
  }
}
