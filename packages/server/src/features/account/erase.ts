import type { EveryFeature } from '../../core/every-feature.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { afterCommit } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { ByWhom } from './by-whom.ts'

/** Deletes the account of a user, whose row the transaction has locked. */
export type Erase = (user: User, by: ByWhom, tx: Tx) => Promise<void>

type Needs = {
  everyFeature: EveryFeature
  audit: Audit
  outbox: Outbox
  events: Events
  count(): void
}

/**
 * The only way to delete an account. Every feature takes away what it keeps of the user. Two things
 * are left: the last letter until it is sent, and an event with nothing of the user but the pk,
 * which nobody else ever gets.
 */
export function createErase({ everyFeature, audit, outbox, events, count }: Needs): Erase {
  return async (user, by, tx) => {
    await everyFeature.erase(user, tx)
    await outbox.sayFarewell(user, tx)
    await audit.record({ userId: user.id, event: 'user_deleted', details: by }, tx)
    await events.note('deleted', user, { by: 'operator' in by ? 'operator' : 'user' }, tx)
    afterCommit(tx, count)
  }
}
