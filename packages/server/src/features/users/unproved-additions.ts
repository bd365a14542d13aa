import type { EveryFeature } from '../../core/every-feature.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { Audit } from '../audit/audit.ts'
import type { Outbox } from '../mail/outbox.ts'

export type UnprovedAdditions = ReturnType<typeof createUnprovedAdditions>

type Needs = { everyFeature: EveryFeature; audit: Audit; outbox: Outbox }

/**
 * Removes what was added to an account before its address was proved: a second factor with its
 * recovery codes, passkeys, social accounts. A stranger may have added them, to keep a way in or to
 * keep the owner of the address out.
 */
export function createUnprovedAdditions({ everyFeature, audit, outbox }: Needs) {
  return {
    /** Runs in the transaction that proves the address. The owner gets a notice. */
    async removeFrom(user: User, tx: Tx): Promise<void> {
      const details = await everyFeature.forget(user, tx)
      if (Object.values(details).every((count) => count === 0)) return
      const event = 'unproved_additions_removed'
      await audit.record({ userId: user.id, event, details }, tx)
      await outbox.notify(user, 'additions-removed', tx)
    },
  }
}
