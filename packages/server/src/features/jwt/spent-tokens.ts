import { digest } from '../../crypto/digests.ts'
import type { Claims } from '../../crypto/jwt/claims.ts'
import { isOfDeletedUser } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Context } from '../feature.ts'
import {
  addSpentTokens,
  findSpentToken,
  spendToken,
  spendTokenOfLogin,
} from './spent-tokens-queries.ts'

export type SpentTokens = ReturnType<typeof createSpentTokens>

/** The successor is null after the grace period. */
type SpentToken = { loginId: number | null; successor: string | null }

type SpentBy = { userId: number; loginId: number | null }

/** The blacklist: refresh tokens that are refused although their login has not ended. */
export function createSpentTokens({ db, sealedBox, clock, log, settings }: Context) {
  const { REFRESH_REUSE_GRACE: graceMs, LEEWAY: leewayMs } = settings.SIMPLE_JWT

  return {
    /**
     * Returns whether the token was unspent. Of parallel calls exactly one gets true. The token of a
     * deleted user or of an ended login counts as spent.
     */
    async spend(
      { jti, expiresAt }: Claims,
      { userId, loginId }: SpentBy,
      successor: string | null,
    ): Promise<boolean> {
      const key = digest(jti)
      const isKept = successor !== null && graceMs > 0
      const row = {
        digest: key,
        login_id: loginId,
        user_id: userId,
        sealed_successor: isKept ? sealedBox.seal(successor, successorOwner(key)) : null,
        spent_at: clock.now(),
        expires_at: Math.ceil(expiresAt) + leewayMs,
      }
      const spending = loginId === null ? spendToken(db, row) : spendTokenOfLogin(db, loginId, row)
      return spending.catch((error) => {
        if (isOfDeletedUser(error)) return false
        throw error
      })
    },

    /** Tokens that another service has spent. Returns how many were new. */
    async adopt(tokens: readonly { jti: string; expiresAt: number }[], tx: Tx): Promise<number> {
      if (tokens.length === 0) return 0
      const rows = tokens.map(({ jti, expiresAt }) => ({
        digest: digest(jti),
        login_id: null,
        user_id: null,
        sealed_successor: null,
        spent_at: clock.now(),
        expires_at: expiresAt + leewayMs,
      }))
      return (await addSpentTokens(tx, rows)).length
    },

    async has({ jti }: Claims): Promise<boolean> {
      if (!settings.SIMPLE_JWT.TOKEN_BLACKLIST_ENABLED) return false
      return (await findSpentToken(db, digest(jti))) !== undefined
    },

    async find({ jti }: Claims): Promise<SpentToken | null> {
      const key = digest(jti)
      const found = await findSpentToken(db, key)
      if (!found) return null
      const { login_id: loginId, sealed_successor: sealed, spent_at } = found
      const isKept = sealed !== null && clock.now() < spent_at + graceMs
      const successor = isKept ? sealedBox.open(sealed, successorOwner(key)) : null
      if (isKept && successor === null) {
        const words = 'the successor of a refresh token cannot be read; its login ends'
        log.error({ login: loginId }, words)
      }
      return { loginId, successor }
    },
  }
}

export const successorOwner = (key: string): string => `refresh:${key}`
