import type { Claims } from '../../crypto/jwt/claims.ts'
import type { User } from '../../storage/schema.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Family } from './pairs.ts'

/** Whose token it is. Its login may have ended meanwhile; then it is good for nothing. */
export type TokenOwner = { user: User; family: Family | null; isEnded: boolean }

export type FindOwner = (claims: Claims) => Promise<TokenOwner | null>

/** One join tells it all, exactly and on every instance. */
export const findOwnerIn =
  (sessions: Sessions): FindOwner =>
  async ({ userId, loginId, issuedAt }) => {
    const found = await sessions.findUserWithLogin(userId, loginId)
    if (!found) return null
    const { login_id, login_created_at, ...user } = found
    const family =
      login_id === null || login_created_at === null
        ? null
        : { id: login_id, startedAt: login_created_at }
    const isEnded = loginId === null ? isRevoked(user, issuedAt) : family === null
    return { user, family, isEnded }
  }

/** Tokens made elsewhere have no login to end: those before the last revocation are void. */
const isRevoked = ({ revoked_at }: User, issuedAt: number): boolean =>
  revoked_at !== null && issuedAt <= revoked_at
