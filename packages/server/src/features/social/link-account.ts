import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../storage/handle.ts'
import type { SocialAccount, User } from '../../storage/schema.ts'
import type { Audit } from '../audit/audit.ts'
import type { Outbox } from '../mail/outbox.ts'
import { isUnproved } from '../users/proved-address.ts'
import type { ProvenIdentity } from './prove-identity.ts'
import { addAccountIfFree } from './social-accounts-queries.ts'

/** Undefined if the identity already belongs to a user. */
export type LinkAccount = (
  identity: ProvenIdentity,
  owner: { user: User; isNew: boolean },
  tx: Tx,
) => Promise<SocialAccount | undefined>

type Needs = { audit: Audit; outbox: Outbox; clock: Clock }

/** Links the identity to the user, and sends a notice. */
export function createLinkAccount({ audit, outbox, clock }: Needs): LinkAccount {
  return async ({ provider, issuer, subject }, { user, isNew }, tx) => {
    const now = clock.now()
    const account = await addAccountIfFree(tx, {
      user_id: user.id,
      provider,
      issuer,
      subject,
      created_at: now,
      last_login_at: now,
      added_unproved: isUnproved(user),
    })
    if (!account) return undefined

    const event = isNew ? 'social_sign_up' : 'social_account_connected'
    await audit.record({ userId: user.id, event, details: { provider } }, tx)
    if (!isNew) await outbox.notify(user, 'social-account-connected', tx)
    return account
  }
}
