import { problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Flag, User } from '../../storage/schema.ts'

type Slice = Pick<Settings, 'ACCOUNT' | 'MFA_ALLOW_UNVERIFIED_EMAIL'>

type Addressed = Pick<User, 'email' | 'email_verified'>

export type ProvedAddress = ReturnType<typeof createProvedAddress>

/**
 * A proved address comes first. A stranger may register with somebody else's address. They must not
 * be able to add what outlives the password (a second factor, a passkey, a social account).
 * Otherwise the owner of the address would find a stranger's way in, or be locked out for good.
 * Settings may allow it; then each passkey and social account remembers that it was added too early.
 */
export function createProvedAddress({ ACCOUNT, MFA_ALLOW_UNVERIFIED_EMAIL }: Slice) {
  const isNeeded = ACCOUNT.EMAIL_VERIFICATION !== 'none' && !MFA_ALLOW_UNVERIFIED_EMAIL

  return {
    mustBeThere(user: Addressed): void {
      if (isNeeded && isUnproved(user)) throw problem('verify_email_first')
    },
  }
}

/** Users without an address cannot have somebody else's. */
export const isUnproved = ({ email, email_verified }: Addressed): Flag =>
  email !== '' && !email_verified ? 1 : 0
