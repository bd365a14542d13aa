import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Log } from '../../kernel/log.ts'
import type { Authenticator } from './totp-queries.ts'

export type TotpSecrets = ReturnType<typeof createTotpSecrets>

/** Stands in the place of a sealed secret. No key opens it, and resealing leaves it alone. */
const UNREADABLE = ''

/**
 * The sealed secrets of authenticator apps. A secret that cannot be read is not an absent one: the
 * second factor is on, login asks for it, and no code of an app fits. Recovery codes still work, and
 * `latchkey user reset-mfa` removes the factor.
 */
export function createTotpSecrets({ sealedBox, log }: { sealedBox: SealedBox; log: Log }) {
  return {
    /** For `sealed_secret`. Null for a secret that another service has and that we cannot read. */
    seal: (userId: number, secret: string | null): string =>
      secret === null ? UNREADABLE : sealedBox.seal(secret, secretOwner(userId)),

    /** Null if it cannot be read, whatever the reason. */
    open({ user_id, sealed_secret }: Authenticator): string | null {
      const secret = sealedBox.open(sealed_secret, secretOwner(user_id))
      if (secret === null) {
        const words = 'the secret of an authenticator app cannot be read, so no code of it fits'
        log.error({ user: user_id, mend: 'latchkey user reset-mfa' }, words)
      }
      return secret
    },

    isStale: ({ sealed_secret }: Authenticator): boolean =>
      !sealed_secret.startsWith(sealedBox.prefix),
  }
}

/** The owner that the sealed secret of an authenticator is bound to. */
export const secretOwner = (userId: number | string): string => `totp:${userId}`
