import type { User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
import type { Audit } from '../audit/audit.ts'
import type { Outbox } from '../mail/outbox.ts'

export type UnprovedAdditions = ReturnType<typeof createUnprovedAdditions>

type Needs = { audit: Audit; outbox: Outbox }

/**
 * What was added to an account while nobody had proved its address: a second factor with its
 * recovery codes, passkeys, accounts elsewhere. Somebody else may have added them, and would keep a
 * way in, or keep the owner of the address out.
 */
export function createUnprovedAdditions({ audit, outbox }: Needs) {
  return {
    /** In the transaction that proves the address; its owner hears of it. */
    async removeFrom(user: User, tx: Stores): Promise<void> {
      const hadMfa = await tx.totp.removeOfUser(user.id)
      await tx.recoveryCodes.removeOfUser(user.id)
      await tx.totp.takeActivationsOfUser(user.id)
      await tx.mfaChallenges.removeOfUser(user.id)
      const details = {
        mfa: hadMfa ? 1 : 0,
        passkeys: await tx.passkeys.removeAllOfUser(user.id),
        social_accounts: await tx.socialAccounts.removeAllOfUser(user.id),
      }
      if (Object.values(details).every((count) => count === 0)) return
      const event = 'unproved_additions_removed'
      await audit.record({ userId: user.id, event, details }, tx.audit)
      await outbox.notify(user, 'additions-removed', tx)
    },
  }
}
