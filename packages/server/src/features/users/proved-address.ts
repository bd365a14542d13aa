import { problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Tx } from '../../storage/handle.ts'
import { type Flag, flagOf, type User } from '../../storage/schema.ts'
import type { UpToMail } from '../mail/feature.ts'

type Slice = Pick<Settings, 'ACCOUNT' | 'MFA_ALLOW_UNVERIFIED_EMAIL'>

type Addressed = Pick<User, 'email' | 'email_verified'>

/**
 * Users must prove their address before they add anything that outlives a new password: a second
 * factor, a passkey, a social account. Otherwise a stranger could register with somebody else's
 * address and keep a way in, or lock the owner out for good. Settings may allow it; then each
 * passkey and social account remembers that its owner was unproved.
 */
export const createProvedAddress = (settings: Slice) => ({
  mustBeThere(user: Addressed): void {
    if (needsProvedAddress(settings) && isUnproved(user)) throw problem('verify_email_first')
  },
})

export const needsProvedAddress = ({ ACCOUNT, MFA_ALLOW_UNVERIFIED_EMAIL }: Slice): boolean =>
  ACCOUNT.EMAIL_VERIFICATION !== 'none' && !MFA_ALLOW_UNVERIFIED_EMAIL

/** Users without an address cannot have somebody else's. */
export const isUnproved = ({ email, email_verified }: Addressed): Flag =>
  flagOf(email !== '' && !email_verified)

/**
 * The address as links and codes are signed for it. It is never the same again after a change, so they
 * stay void when the user returns to a former address. Until the first change it is the plain address,
 * as in the links that earlier versions have mailed.
 */
export const signedAddress = ({
  email,
  email_epoch,
}: Pick<User, 'email' | 'email_epoch'>): string =>
  email_epoch === 0 ? email : `${email} ${email_epoch}`

/**
 * Removes the passkeys and social accounts that were added while the address was unproved, and tells
 * the owner. Runs in the transaction of a reset or a login by code: these prove the address, and a
 * stranger who had registered with it may have added them.
 */
export function createRemoveUnproved({ everyFeature, audit, outbox }: UpToMail) {
  return async (user: User, tx: Tx): Promise<void> => {
    const details = await everyFeature.removeUnproved(user, tx)
    if (Object.values(details).every((count) => count === 0)) return
    const event = 'unproved_additions_removed'
    await audit.record({ userId: user.id, event, details }, tx)
    await outbox.notify(user, 'additions-removed', tx)
  }
}
