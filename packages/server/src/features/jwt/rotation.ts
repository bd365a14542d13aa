import type { Claims } from '../../crypto/jwt/claims.ts'
import type { SignedToken } from '../../crypto/jwt/jwt.ts'
import { tokenNotValid } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import type { Family, Pairs } from './pairs.ts'
import type { SpentTokens } from './spent-tokens.ts'
import type { TokenOwner, TokenReader } from './token-reader.ts'

export type Rotation = ReturnType<typeof createRotation>

type Rotated = { loginId: number; refresh: SignedToken }

const NOTHING = { loginId: null, successor: null }

type Needs = UpToPasswords & { reader: TokenReader; pairs: Pairs; spentTokens: SpentTokens }

/**
 * Exchanges a refresh token for a new one. If a spent token comes back, it was stolen, by this client
 * or by the one before. So the whole family ends.
 */
export function createRotation(needs: Needs) {
  const { reader, pairs, spentTokens, sessions, users, db, audit, clock, settings } = needs
  const { BLACKLIST_AFTER_ROTATION, TOKEN_BLACKLIST_ENABLED, ACCESS_TOKEN_LIFETIME } =
    settings.SIMPLE_JWT
  const spends = BLACKLIST_AFTER_ROTATION && TOKEN_BLACKLIST_ENABLED

  return {
    async rotate(claims: Claims, { user, family: known }: TokenOwner): Promise<Rotated> {
      if (!spends && (await spentTokens.has(claims))) throw tokenNotValid('token_blacklisted')

      const family = known ?? (await adopt(user))
      const refresh = pairs.refresh(user, family)
      // The login is extended before the token is spent, so that it never ends before the successor.
      const isAlive = await sessions.keepUntil(family.id, refresh.expiresAt + ACCESS_TOKEN_LIFETIME)
      if (!isAlive) throw tokenNotValid('token_blacklisted')
      if (
        !spends ||
        (await spentTokens.spend(claims, { userId: user.id, loginId: family.id }, refresh.token))
      ) {
        return { loginId: family.id, refresh }
      }
      if (!known) await sessions.endLogin(family.id)
      return answerReuse(claims, user)
    },
  }

  /** A token of another service gets a login here, so that its successors can be ended. */
  async function adopt(user: User): Promise<Family> {
    const id = await transaction(db, async (tx) => {
      const current = await users.lock(user.id, tx)
      // False if the user was revoked or deactivated after the token was checked.
      const isUnchanged = current?.epoch === user.epoch && current.revoked_at === user.revoked_at
      if (!isUnchanged) throw tokenNotValid('token_blacklisted')
      return sessions.adopt(user.id, tx)
    })
    return { id, startedAt: clock.now() }
  }

  /** Within the grace period a client that refreshes twice at once gets the same successor. */
  async function answerReuse(claims: Claims, user: User): Promise<Rotated> {
    const { loginId, successor } = (await spentTokens.find(claims)) ?? NOTHING
    const rotated = successor && loginId ? await handOutAgain(successor, loginId) : null
    if (rotated) return rotated
    if (loginId && (await sessions.endLogin(loginId))) {
      await audit.record({ userId: user.id, event: 'refresh_token_reused' })
    }
    throw tokenNotValid('token_blacklisted')
  }

  async function handOutAgain(token: string, loginId: number): Promise<Rotated | null> {
    const read = reader.read(token, 'refresh')
    if ('fault' in read) return null
    const { expiresAt } = read.claims
    const isAlive = await sessions.keepUntil(loginId, expiresAt + ACCESS_TOKEN_LIFETIME)
    return isAlive ? { loginId, refresh: { token, expiresAt } } : null
  }
}
