import type { EveryFeature } from '../../core/every-feature.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { Audit } from '../audit/audit.ts'
import type { Outbox } from '../mail/outbox.ts'

/**
 * Removes the passkeys and social accounts that were added while the address was unproved, and tells
 * the owner. Runs in the transaction of a reset or a login by code: until then a stranger who had
 * registered with the address may have added them.
 */
export type RemoveUnproved = (user: User, tx: Tx) => Promise<void>

type Needs = { everyFeature: EveryFeature; audit: Audit; outbox: Outbox }

export function createRemoveUnproved({ everyFeature, audit, outbox }: Needs): RemoveUnproved {
  return async (user, tx) => {
    const details = await everyFeature.removeUnproved(user, tx)
    if (Object.values(details).every((count) => count === 0)) return
    const event = 'unproved_additions_removed'
    await audit.record({ userId: user.id, event, details }, tx)
    await outbox.notify(user, 'additions-removed', tx)
  }
}
