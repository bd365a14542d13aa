import { type Identity, NEVER_HERE } from '../../core/identity.ts'
import type { Claims } from '../../crypto/jwt/claims.ts'
import type { Jwt } from '../../crypto/jwt/jwt.ts'
import { CLOCK_DIFFERENCE } from '../../kernel/clock.ts'
import { accessTokenNotValid, problem, type TokenFault } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import { type Family, SETUP } from './pairs.ts'

export type TokenReader = ReturnType<typeof createTokenReader>

type Read = { claims: Claims } | { fault: TokenFault }

/** The owner of a token. If its login has ended, the token is refused. */
export type TokenOwner = Pick<Identity, 'user' | 'authenticatedAt' | 'restriction'> & {
  hasTwoFactors: boolean
  family: Family | null
  isEnded: boolean
}

const TYPES = ['access', 'refresh']

type Needs = UpToPasswords & { jwt: Jwt }

export function createTokenReader({ jwt, sessions, requiredFactor, settings }: Needs) {
  const tolerance = CLOCK_DIFFERENCE + settings.SIMPLE_JWT.LEEWAY

  /**
   * A token cannot be older than its login. If it is, it belongs to another one: a database that was
   * restored from a backup uses the numbers of lost users and logins again.
   */
  const latestStart = ({ issuedAt }: Claims): number => Math.ceil(issuedAt) + tolerance

  return {
    read,
    findOwner,
    latestStart,

    /** The user of an access token. */
    async identify(token: string): Promise<Identity> {
      const checked = read(token, 'access')
      if ('fault' in checked) throw accessTokenNotValid(checked.fault)
      const found = await findOwner(checked.claims)
      if (!found) throw problem('user_not_found')
      // Named one by one: taking `...owner` from it would cost a tenth of the request.
      const { user, family, isEnded, authenticatedAt, hasTwoFactors, restriction } = found
      if (!user.is_active) throw problem('user_inactive')
      if (isEnded) throw accessTokenNotValid('token_invalid')
      const { expiresAt, payload: claims } = checked.claims
      const proved = { authenticatedAt, hasTwoFactors, ...(restriction && { restriction }) }
      return { user, via: 'jwt', loginId: family?.id ?? null, ...proved, expiresAt, claims }
    },
  }

  /** Never accepts an access token as a refresh token, or the reverse. */
  function read(token: string, wanted: 'access' | 'refresh' | 'either'): Read {
    const checked = jwt.check(token)
    if ('fault' in checked) {
      return { fault: checked.fault === 'expired' ? 'token_expired' : 'token_invalid' }
    }
    const { type } = checked.claims
    if (wanted === 'either') return TYPES.includes(type) ? checked : { fault: 'token_invalid' }
    const isWanted = type === wanted || (wanted === 'access' && type === SETUP)
    return isWanted ? checked : { fault: 'token_wrong_type' }
  }

  /** One join finds user and login, so a revocation counts at once on every instance. */
  async function findOwner(claims: Claims): Promise<TokenOwner | null> {
    const { pk, loginId, issuedAt } = claims
    const found = await sessions.findUserWithLogin(pk, loginId)
    if (!found) return null
    const { user, login } = found
    const family = login && login.startedAt <= latestStart(claims) ? login : null
    const isEnded = loginId === null ? isRevoked(user, issuedAt) : family === null
    const authenticatedAt = family?.authenticatedAt ?? NEVER_HERE
    const hasTwoFactors = family?.hasTwoFactors ?? false
    const owner = { user, family, isEnded, authenticatedAt, hasTwoFactors }
    const restriction = family?.impersonation?.restriction
    if (restriction) return { ...owner, restriction }
    return hasTwoFactors ? owner : requiredFactor.restricted(owner)
  }
}

/** Tokens of other services have no login. They are void if older than the last revocation. */
const isRevoked = ({ revoked_at }: User, issuedAt: number): boolean =>
  revoked_at !== null && issuedAt <= revoked_at
