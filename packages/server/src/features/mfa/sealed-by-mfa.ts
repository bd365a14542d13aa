import { type Sealed, sealedText } from '../../core/sealed.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import { activationOwner } from './activation.ts'
import type { RecoveryCodes } from './recovery-codes.ts'
import { secretOwner } from './totp-secrets.ts'

/**
 * Secrets and recovery codes. A code is found by a digest with the same key, so both change
 * together.
 */
export const sealedByMfa = (sealedBox: SealedBox, recoveryCodes: RecoveryCodes): Sealed[] => [
  {
    ...sealedText(
      sealedBox,
      { table: 'totp_authenticators', key: 'user_id', column: 'sealed_secret' },
      secretOwner,
    ),
    blankIsUnreadable: true,
  },
  sealedText(
    sealedBox,
    { table: 'totp_activations', key: 'digest', column: 'sealed_secret' },
    activationOwner,
  ),
  {
    table: 'recovery_codes',
    keys: ['user_id', 'digest'],
    column: 'sealed_code',
    renew: ({ user_id, digest, sealed_code }) =>
      recoveryCodes.renewed({
        user_id: Number(user_id),
        digest: String(digest),
        sealed_code: String(sealed_code),
      }),
  },
]
