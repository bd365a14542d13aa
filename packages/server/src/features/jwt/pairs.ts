import type { HookClaims } from '../../core/hooks.ts'
import { pkOf } from '../../core/identity.ts'
import type { Jwt, SignedToken } from '../../crypto/jwt/jwt.ts'
import { DAY } from '../../kernel/clock.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToPasswords } from '../passwords/feature.ts'
import { userReader } from '../users/user-values.ts'

export type Pairs = ReturnType<typeof createPairs>

export type JwtPair = { access: SignedToken; refresh: SignedToken; loginId: number }

/** The login that a family of tokens belongs to. */
export type Family = { id: number; startedAt: number; expiresAt: number }

/**
 * The type of an access token whose user must set up a second factor. Other services accept only the
 * type `access`, so they refuse it, whichever library they use.
 */
export const SETUP = 'mfa_setup'

/** What an access token contains besides its user. */
type Access = { loginId: number | null; isFactorDue: boolean; added?: HookClaims | undefined }

/** The last refresh token of a family expires this long after the login. */
const FAMILY_AGE = 30 * DAY

type Needs = UpToPasswords & { jwt: Jwt }

export function createPairs({ jwt, clock, host, asHookUser, settings }: Needs) {
  const { ACCESS_TOKEN_LIFETIME, REFRESH_TOKEN_LIFETIME } = settings.SIMPLE_JWT
  const claims = Object.entries(settings.SIMPLE_JWT.CLAIMS)
  const claimsOf = userReader(
    claims.map(([name, source]) => ({ name, source })),
    settings.USER_FIELDS,
  )
  const familyAge = Math.max(FAMILY_AGE, REFRESH_TOKEN_LIFETIME)

  /** A token that replaces one of another service has no login. */
  const access = (user: User, { loginId, isFactorDue, added }: Access) =>
    jwt.sign({
      type: isFactorDue ? SETUP : 'access',
      pk: pkOf(user),
      loginId,
      expiresAt: clock.now() + ACCESS_TOKEN_LIFETIME,
      more: { ...claimsOf(user), ...added },
    })

  const refresh = (user: User, { id, startedAt }: Omit<Family, 'expiresAt'>) => {
    const expiresAt = Math.min(clock.now() + REFRESH_TOKEN_LIFETIME, startedAt + familyAge)
    return jwt.sign({ type: 'refresh', pk: pkOf(user), loginId: id, expiresAt })
  }

  const askClaims = host.claims

  /** `act` says who uses the account, as in RFC 8693. */
  const impersonation = (
    user: User,
    { operator, loginId, expiresAt }: { operator: User; loginId: number; expiresAt: number },
    added?: HookClaims,
  ): SignedToken =>
    jwt.sign({
      type: 'access',
      pk: pkOf(user),
      loginId,
      expiresAt,
      more: { ...claimsOf(user), ...added, act: { sub: String(pkOf(operator)) } },
    })

  return {
    /**
     * The host's claims for an access token. Undefined if the host adds none. Call it before anything
     * is written, since the host may fail.
     */
    hostClaims: askClaims && ((user: User) => askClaims(asHookUser(user))),

    access,
    refresh,
    impersonation,

    /** The first pair of a new login. */
    start: (user: User, { loginId, ...more }: Access & { loginId: number }): JwtPair => ({
      access: access(user, { loginId, ...more }),
      refresh: refresh(user, { id: loginId, startedAt: clock.now() }),
      loginId,
    }),
  }
}
