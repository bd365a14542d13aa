import type { Context } from '../feature.ts'
import type { Authenticator } from './mfa-queries.ts'

export type TotpSecrets = ReturnType<typeof createTotpSecrets>

/** Replaces a sealed secret. No key opens it, and resealing ignores it. */
const UNREADABLE = ''

/**
 * The sealed secrets of authenticator apps. If a secret cannot be read, the second factor stays on:
 * login asks for it, no code of the app fits, and recovery codes still work.
 */
export function createTotpSecrets({ sealedBox, log }: Pick<Context, 'sealedBox' | 'log'>) {
  return {
    /** Pass null for an imported secret that cannot be read. */
    seal: (userId: number, secret: string | null): string =>
      secret === null ? UNREADABLE : sealedBox.seal(secret, secretOwner(userId)),

    /** Returns null if it cannot be read. */
    open({ user_id, sealed_secret }: Authenticator): string | null {
      const secret = sealedBox.open(sealed_secret, secretOwner(user_id))
      if (secret === null) {
        const words = 'the secret of an authenticator app cannot be read, so no code of it fits'
        log.error({ user: user_id, mend: 'latchkey user reset-mfa' }, words)
      }
      return secret
    },

    /** Logs nothing if the sealed secret cannot be read. */
    holds: ({ user_id, sealed_secret }: Authenticator, secret: string | null): boolean =>
      secret !== null && sealedBox.open(sealed_secret, secretOwner(user_id)) === secret,

    isCurrent: ({ sealed_secret }: Authenticator): boolean => sealedBox.isCurrent(sealed_secret),
  }
}

export const secretOwner = (userId: number | string): string => `totp:${userId}`
