import { digest } from '../../crypto/digest.ts'
import type { Claims } from '../../crypto/jwt/claims.ts'
import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Settings } from '../../settings.ts'
import type { RefreshTokensStore } from './refresh-tokens-store.ts'

export type SpentTokens = ReturnType<typeof createSpentTokens>

/** Which family a spent token belonged to, and the successor that may still be handed out. */
export type SpentToken = { loginId: number | null; successor: string | null }

/** The blacklist: refresh tokens that are not good although their login has not ended. */
export function createSpentTokens(
  store: RefreshTokensStore,
  sealedBox: SealedBox,
  clock: Clock,
  { SIMPLE_JWT }: Settings,
) {
  const { REFRESH_REUSE_GRACE: graceMs, LEEWAY: leewayMs, TOKEN_BLACKLIST_ENABLED } = SIMPLE_JWT

  return {
    /** Tells whether it was unspent until now: of parallel calls exactly one hears yes. */
    spend({ jti, expiresAt }: Claims, loginId: number | null, successor: string | null) {
      const key = digest(jti)
      const isKept = successor !== null && graceMs > 0
      return store.spend({
        digest: key,
        login_id: loginId,
        sealed_successor: isKept ? sealedBox.seal(successor, successorOwner(key)) : null,
        spent_at: clock.now(),
        expires_at: Math.ceil(expiresAt) + leewayMs,
      })
    },

    async has({ jti }: Claims): Promise<boolean> {
      if (!TOKEN_BLACKLIST_ENABLED) return false
      return (await store.findSpent(digest(jti))) !== undefined
    },

    async find({ jti }: Claims): Promise<SpentToken | null> {
      const key = digest(jti)
      const found = await store.findSpent(key)
      if (!found) return null
      const { login_id: loginId, sealed_successor: sealed, spent_at } = found
      const isInGrace = clock.now() < spent_at + graceMs
      const successor = isInGrace && sealed ? sealedBox.open(sealed, successorOwner(key)) : null
      return { loginId, successor }
    },
  }
}

export const successorOwner = (key: string): string => `refresh:${key}`
