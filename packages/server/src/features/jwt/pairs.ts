import type { HookClaims } from '../../core/hooks.ts'
import { pkOf } from '../../core/identity.ts'
import type { Jwt, SignedToken, Subject } from '../../crypto/jwt/jwt.ts'
import { DAY } from '../../kernel/clock.ts'
import { SECRET_MAX } from '../../kernel/lengths.ts'
import { editableFields, type NamedField } from '../../settings/kinds/user-details.ts'
import type { Settings } from '../../settings/settings.ts'
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

export function createPairs({ jwt, clock, log, host, asHookUser, settings }: Needs) {
  const { ACCESS_TOKEN_LIFETIME, REFRESH_TOKEN_LIFETIME } = settings.SIMPLE_JWT
  const claimsOf = userReader(claimedFields(settings), settings.USER_FIELDS)
  const familyAge = Math.max(FAMILY_AGE, REFRESH_TOKEN_LIFETIME)
  // Browsers take as many bytes for a cookie, with its name, as our fields take for a token.
  const longest = SECRET_MAX - (settings.REST_AUTH.JWT_AUTH_COOKIE ?? '').length

  /** Leaves out claims of `SIMPLE_JWT.CLAIMS` that do not fit. Otherwise the user could not log in. */
  function signAccess(user: User, subject: Omit<Subject, 'pk'>): SignedToken {
    const claims = claimsOf(user)
    const signWith = (fields: Record<string, unknown>) =>
      jwt.sign({ ...subject, pk: pkOf(user), more: { ...fields, ...subject.more } })
    const whole = signWith(claims)
    if (whole.token.length <= longest) return whole

    const room = longest - signWith({}).token.length
    const { fitting, others } = divide(claims, (room * 3) / 4)
    log.warn({ user: pkOf(user), claims: others }, 'an access token has no room for these claims')
    return signWith(fitting)
  }

  /** A token that replaces one of another service has no login. */
  const access = (user: User, { loginId, isFactorDue, added }: Access) =>
    signAccess(user, {
      type: isFactorDue ? SETUP : 'access',
      loginId,
      expiresAt: clock.now() + ACCESS_TOKEN_LIFETIME,
      ...(added && { more: added }),
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
    signAccess(user, {
      type: 'access',
      loginId,
      expiresAt,
      more: { ...added, act: { sub: String(pkOf(operator)) } },
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

/** Fields that users edit come last, so that they cannot push another claim out of their token. */
function claimedFields({ SIMPLE_JWT, REST_AUTH, USER_FIELDS: userFields }: Settings): NamedField[] {
  const details = REST_AUTH.USER_DETAILS_SERIALIZER
  const editable = editableFields({ details, userFields }).map(({ source }) => source)
  const isEditable = ({ source }: NamedField) => Number(editable.includes(source))
  return Object.entries(SIMPLE_JWT.CLAIMS)
    .map(([name, source]) => ({ name, source }))
    .sort((one, other) => isEditable(one) - isEditable(other))
}

/** Takes claims in their order, as long as there is room for them in a token. */
function divide(claims: Record<string, unknown>, bytes: number) {
  const fitting: Record<string, unknown> = {}
  const others: string[] = []
  let room = bytes
  for (const [name, value] of Object.entries(claims)) {
    const size = Buffer.byteLength(JSON.stringify({ [name]: value }))
    if (size > room) {
      others.push(name)
      continue
    }
    fitting[name] = value
    room -= size
  }
  return { fitting, others }
}
