import { pkOf } from '../../core/identity.ts'
import type { Claims } from '../../crypto/jwt/claims.ts'
import type { SignedToken } from '../../crypto/jwt/jwt.ts'
import type { Pk } from '../../kernel/ids.ts'
import { problem, type TokenFault, tokenNotValid } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import type { Pairs } from './pairs.ts'
import type { Rotation } from './rotation.ts'
import type { SpentTokens } from './spent-tokens.ts'
import type { TokenReader } from './token-reader.ts'

export type RefreshTokens = ReturnType<typeof createRefreshTokens>

export type Refreshed = {
  pk: Pk
  loginId: number | null
  access: SignedToken
  /** Null if refresh tokens are not rotated. */
  refresh: SignedToken | null
}

type Needs = UpToPasswords & {
  reader: TokenReader
  pairs: Pairs
  rotation: Rotation
  spentTokens: SpentTokens
}

export function createRefreshTokens(needs: Needs) {
  const { reader, pairs, rotation, spentTokens, sessions, settings } = needs
  const { ROTATE_REFRESH_TOKENS: rotates, TOKEN_BLACKLIST_ENABLED: canEnd } = settings.SIMPLE_JWT

  return {
    async refresh(token: string): Promise<Refreshed> {
      const read = reader.read(token, 'refresh')
      if ('fault' in read) throw tokenNotValid(read.fault)
      const owner = await reader.findOwner(read.claims)
      if (!owner?.user.is_active) throw problem('no_active_account')
      if (owner.isEnded) throw tokenNotValid('token_blacklisted')

      const pk = pkOf(owner.user)
      // The host is asked before the token is spent. If it fails, the client can try again.
      const added = pairs.hostClaims && (await pairs.hostClaims(owner.user))
      if (rotates) {
        const { loginId, refresh } = await rotation.rotate(read.claims, owner)
        return { pk, loginId, access: pairs.access(owner.user, loginId, added), refresh }
      }
      if (await spentTokens.has(read.claims)) throw tokenNotValid('token_blacklisted')
      const loginId = owner.family?.id ?? null
      return { pk, loginId, access: pairs.access(owner.user, loginId, added), refresh: null }
    },

    /** Accepts tokens of both types. An access token is checked without a lookup. */
    async verify(token: string): Promise<void> {
      const read = reader.read(token, 'either')
      if ('fault' in read) throw tokenNotValid(read.fault)
      if (read.claims.type === 'access') return
      const owner = await reader.findOwner(read.claims)
      const isGood = owner && !owner.isEnded && !(await spentTokens.has(read.claims))
      if (!isGood) throw tokenNotValid('token_blacklisted')
    },

    ownerOf,

    /** Ends the family of the token, or returns its fault. */
    end,

    /** Ends the family of a token, unless it is void or another user's. */
    async endKept(token: string, pk: Pk | undefined): Promise<void> {
      if (pk === undefined || ownerOf(token) === pk) await end(token)
    },

    /** Ends the family that a new login in the same browser replaces. Ignores a void token. */
    async endReplaced(token: string, tx: Tx): Promise<void> {
      const { loginId = null } = claimsIn(token) ?? {}
      if (canEnd && loginId !== null) await sessions.endLogin(loginId, tx)
    },

    /** Ends the login that an access token names. */
    async endLogin(loginId: number): Promise<void> {
      if (canEnd) await sessions.endLogin(loginId)
    },
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
