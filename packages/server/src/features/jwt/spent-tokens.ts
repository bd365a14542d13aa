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

/** The blacklist: refresh tokens that are refused although their login has not ended. */
export function createSpentTokens({ db, sealedBox, clock, log, settings }: Context) {
  const { REFRESH_REUSE_GRACE: graceMs, LEEWAY: leewayMs } = settings.SIMPLE_JWT

  return {
    /**
     * Returns whether the token was unspent. Of parallel calls exactly one gets true. The token of a
     * deleted user or of an ended login counts as spent.
     */
    async spend(
      claims: Claims,
      { userId, loginId }: { userId: number; loginId: number | null },
      successor: string | null,
    ): Promise<boolean> {
      const { key, digest } = keysOf(claims)
      const isKept = successor !== null && graceMs > 0
      const row = {
        key,
        login_id: loginId,
        // A row that has nothing of its user does not name them. Otherwise each refresh would write to the
        // row of the user, which a foreign key locks, and to one more large index.
        user_id: isKept || loginId === null ? userId : null,
        sealed_successor: isKept ? sealedBox.seal(successor, successorOwner(key)) : null,
        spent_at: clock.now(),
        expires_at: Math.ceil(claims.expiresAt) + leewayMs,
      }
      const spending =
        loginId === null ? spendToken(db, row) : spendTokenOfLogin(db, loginId, row, digest)
      return spending.catch((error) => {
        if (isOfDeletedUser(error)) return false
        throw error
      })
    },

    /** Tokens that another service has spent. Returns how many were new. */
    async adopt(tokens: readonly { jti: string; expiresAt: number }[], tx: Tx): Promise<number> {
      if (tokens.length === 0) return 0
      const rows = tokens.map(({ jti, expiresAt }) => ({
        key: digest(jti),
        login_id: null,
        user_id: null,
        sealed_successor: null,
        spent_at: clock.now(),
        expires_at: expiresAt + leewayMs,
      }))
      return (await addSpentTokens(tx, rows)).length
    },

    async has(claims: Claims): Promise<boolean> {
      if (!settings.SIMPLE_JWT.TOKEN_BLACKLIST_ENABLED) return false
      const { key, digest } = keysOf(claims)
      return (await findSpentToken(db, key, digest)) !== undefined
    },

    /** The successor is null after the grace period. */
    async find(claims: Claims) {
      const keys = keysOf(claims)
      const found = await findSpentToken(db, keys.key, keys.digest)
      if (!found) return null
      const { key, login_id: loginId, sealed_successor: sealed, spent_at } = found
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

/** In base 36, of the last moment that a claim can have. So keys sort by their time. */
const TIME_WIDTH = 11

/**
 * The key of a token, and its digest alone. The key of our own tokens begins with their expiry, so
 * that rows are written beside each other and not all over a large index. It depends on nothing but
 * the token: with a part that can change, such as the leeway, a token could be spent once per value.
 *
 * A token of another service has only its digest, since its blacklist may know another expiry of the
 * same `jti`. It can have spent tokens of ours, too, and versions before 0.3.0 stored all of them like
 * that, so every lookup asks for both.
 */
function keysOf({ jti, loginId, expiresAt }: Claims): { key: string; digest: string } {
  const ofJti = digest(jti)
  if (loginId === null) return { key: ofJti, digest: ofJti }
  const time = Math.ceil(expiresAt).toString(36).padStart(TIME_WIDTH, '0')
  return { key: `${time}.${ofJti}`, digest: ofJti }
}

export const successorOwner = (key: string): string => `refresh:${key}`
