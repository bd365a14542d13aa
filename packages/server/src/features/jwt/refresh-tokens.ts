import { isFactorDue, pkOf } from '../../core/identity.ts'
import type { Claims } from '../../crypto/jwt/claims.ts'
import type { SignedToken } from '../../crypto/jwt/jwt.ts'
import type { Pk } from '../../kernel/ids.ts'
import { problem, type TokenFault, tokenNotValid } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import type { Family, Pairs } from './pairs.ts'
import type { SpentTokens } from './spent-tokens.ts'
import type { TokenOwner, TokenReader } from './token-reader.ts'

export type RefreshTokens = ReturnType<typeof createRefreshTokens>

type Needs = UpToPasswords & { reader: TokenReader; pairs: Pairs; spentTokens: SpentTokens }

export function createRefreshTokens(house: Needs) {
  const { reader, pairs, spentTokens, sessions, settings } = house
  const rotate = createRotate(house)
  const { ROTATE_REFRESH_TOKENS: rotates, TOKEN_BLACKLIST_ENABLED: canEnd } = settings.SIMPLE_JWT

  return {
    /** The new pair. Its refresh token is null if refresh tokens are not rotated. */
    async refresh(token: string) {
      const read = reader.read(token, 'refresh')
      if ('fault' in read) throw tokenNotValid(read.fault)
      const known = await mustFindOwner(read.claims)
      // The host is asked before the token is spent. If it fails, the client can try again.
      const added = pairs.hostClaims && (await pairs.hostClaims(known.user))
      // The login may have been ended while the host was asked.
      const owner = pairs.hostClaims ? await mustFindOwner(read.claims) : known

      const pk = pkOf(owner.user)
      const access = (loginId: number | null) =>
        pairs.access(owner.user, { loginId, isFactorDue: isFactorDue(owner), added })
      if (rotates) {
        const { loginId, refresh } = await rotate(read.claims, owner)
        return { pk, loginId, access: access(loginId), refresh }
      }
      if (await spentTokens.has(read.claims)) throw tokenNotValid('token_blacklisted')
      const loginId = owner.family?.id ?? null
      return { pk, loginId, access: access(loginId), refresh: null }
    },

    /**
     * Accepts tokens of both types. An access token is checked without a lookup, unless an operator
     * uses it.
     */
    async verify(token: string): Promise<void> {
      const read = reader.read(token, 'either')
      if ('fault' in read) throw tokenNotValid(read.fault)
      if (read.claims.type === 'access' && read.claims.payload.act === undefined) return
      const owner = await reader.findOwner(read.claims)
      const isGood = owner && !owner.isEnded && !(await spentTokens.has(read.claims))
      if (!isGood) throw tokenNotValid('token_blacklisted')
    },

    ownerOf,

    /** Ends the family of the token, or returns its fault. */
    end,

    /** Ends the family of a token, unless it is void, or the user is known and it is another's. */
    async endKept(token: string, pk: Pk | null): Promise<void> {
      if (pk === null || ownerOf(token) === pk) await end(token)
    },

    /** Ends the family that a new login in the same browser replaces. Ignores a void token. */
    async endReplaced(token: string, tx: Tx): Promise<void> {
      const claims = claimsIn(token)
      if (!canEnd || !claims || claims.loginId === null) return
      await sessions.endStartedBy(claims.loginId, reader.latestStart(claims), tx)
    },

    /** Ends the login that an access token names. */
    async endLogin(loginId: number): Promise<void> {
      if (canEnd) await sessions.endLogin(loginId)
    },
  }

  async function mustFindOwner(claims: Claims): Promise<TokenOwner> {
    const owner = await reader.findOwner(claims)
    if (!owner?.user.is_active) throw problem('no_active_account')
    if (owner.isEnded) throw tokenNotValid('token_blacklisted')
    return owner
  }

  /** Returns null for a void token. */
  function ownerOf(token: string): Pk | null {
    return claimsIn(token)?.pk ?? null
  }

  function claimsIn(token: string): Claims | null {
    const read = reader.read(token, 'refresh')
    return 'claims' in read ? read.claims : null
  }

  /** Does nothing if the blacklist is off. */
  async function end(token: string): Promise<TokenFault | null> {
    if (!canEnd) return null
    const read = reader.read(token, 'refresh')
    if ('fault' in read) return read.fault
    const owner = await reader.findOwner(read.claims)
    const isDone = owner && !owner.isEnded && (await endFamilyOf(read.claims, owner.user.id))
    return isDone ? null : 'token_blacklisted'
  }

  /** Returns whether the token was valid. A rotated token also ends its family. */
  async function endFamilyOf(claims: Claims, userId: number): Promise<boolean> {
    if (claims.loginId === null) return spentTokens.spend(claims, { userId, loginId: null }, null)
    const isSpent = await spentTokens.has(claims)
    const isEnded = await sessions.endLogin(claims.loginId)
    return isEnded && !isSpent
  }
}

type Rotated = { loginId: number; refresh: SignedToken }

const NOTHING = { loginId: null, successor: null }

/**
 * Exchanges a refresh token for a new one. If a spent token comes back, two parties have it, and
 * one of them stole it. So the whole family ends.
 */
function createRotate(house: Needs) {
  const { reader, pairs, spentTokens, sessions, users, db, audit, clock, settings } = house
  const { BLACKLIST_AFTER_ROTATION, TOKEN_BLACKLIST_ENABLED, ACCESS_TOKEN_LIFETIME } =
    settings.SIMPLE_JWT
  const spends = BLACKLIST_AFTER_ROTATION && TOKEN_BLACKLIST_ENABLED

  return async (claims: Claims, { user, family: known }: TokenOwner): Promise<Rotated> => {
    if (!spends && (await spentTokens.has(claims))) throw tokenNotValid('token_blacklisted')

    const family = known ?? (await adopt(user))
    const refresh = pairs.refresh(user, family)
    // The login is extended before the token is spent, so that it never ends before the successor.
    const until = refresh.expiresAt + ACCESS_TOKEN_LIFETIME
    const isKept = family.expiresAt >= until || (await sessions.keepUntil(family.id, until))
    if (!isKept) throw tokenNotValid('token_blacklisted')
    if (
      !spends ||
      (await spentTokens.spend(claims, { userId: user.id, loginId: family.id }, refresh.token))
    ) {
      return { loginId: family.id, refresh }
    }
    if (!known) await sessions.endLogin(family.id)
    return answerReuse(claims, user)
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
    const now = clock.now()
    return { id, startedAt: now, expiresAt: now }
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
