import type { EveryFeature } from '../../core/every-feature.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { Audit } from '../audit/audit.ts'
import type { Outbox } from '../mail/outbox.ts'

export type UnprovedAdditions = ReturnType<typeof createUnprovedAdditions>

type Needs = { everyFeature: EveryFeature; audit: Audit; outbox: Outbox }

/**
 * What was added to an account while nobody had proved its address: a second factor with its
 * recovery codes, passkeys, accounts elsewhere. Somebody else may have added them, and would keep a
 * way in, or keep the owner of the address out.
 */
export function createUnprovedAdditions({ everyFeature, audit, outbox }: Needs) {
  return {
    /** In the transaction that proves the address; its owner hears of it. */
    async removeFrom(user: User, tx: Tx): Promise<void> {
      const details = await everyFeature.forget(user, tx)
      if (Object.values(details).every((count) => count === 0)) return
      const event = 'unproved_additions_removed'
      await audit.record({ userId: user.id, event, details }, tx)
      await outbox.notify(user, 'additions-removed', tx)
    },
  }
}
