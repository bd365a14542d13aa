import { problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { User } from '../../storage/schema.ts'

type Slice = Pick<Settings, 'ACCOUNT' | 'MFA_ALLOW_UNVERIFIED_EMAIL'>

export type ProvedAddress = ReturnType<typeof createProvedAddress>

/**
 * A proved address comes first. A stranger may register with somebody else's address. They must not
 * be able to add what outlives the password (a second factor, a passkey, a social account).
 * Otherwise the owner of the address would find a stranger's way in, or be locked out for good.
 */
export function createProvedAddress({ ACCOUNT, MFA_ALLOW_UNVERIFIED_EMAIL }: Slice) {
  const isNeeded = ACCOUNT.EMAIL_VERIFICATION !== 'none' && !MFA_ALLOW_UNVERIFIED_EMAIL

  return {
    isNeeded,

    /** Users without an address cannot have somebody else's. */
    mustBeThere({ email, email_verified }: Pick<User, 'email' | 'email_verified'>): void {
      if (isNeeded && email !== '' && !email_verified) throw problem('verify_email_first')
    },
  }
}
