import { NEVER_HERE } from '../../core/identity.ts'
import type { Claims } from '../../crypto/jwt/claims.ts'
import type { User } from '../../storage/schema.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Family } from './pairs.ts'

/** The owner of a token. If its login has ended, the token is refused. */
export type TokenOwner = {
  user: User
  family: Family | null
  isEnded: boolean
  authenticatedAt: number
}

export type FindOwner = (claims: Claims) => Promise<TokenOwner | null>

/** One join finds user and login, so a revocation counts at once on every instance. */
export const findOwnerIn =
  (sessions: Sessions): FindOwner =>
  async ({ pk, loginId, issuedAt }) => {
    const found = await sessions.findUserWithLogin(pk, loginId)
    if (!found) return null
    const { user, login: family } = found
    const isEnded = loginId === null ? isRevoked(user, issuedAt) : family === null
    return { user, family, isEnded, authenticatedAt: family?.authenticatedAt ?? NEVER_HERE }
  }

/**
 * Tokens of other services have no login that could end. They are void if they are older than the
 * last revocation.
 */
const isRevoked = ({ revoked_at }: User, issuedAt: number): boolean =>
  revoked_at !== null && issuedAt <= revoked_at
