import { CLOCK_DIFFERENCE, SECOND } from '../../kernel/clock.ts'
import { type Pk, readLoginId, readPk } from '../../kernel/ids.ts'

/** What a token says, after its signature was verified. Times are in milliseconds. */
export type Claims = {
  type: string
  jti: string
  pk: Pk
  /** The login that the token belongs to. Tokens made by another service have none. */
  loginId: number | null
  /** Zero if the token does not say: it is then treated as the oldest possible. */
  issuedAt: number
  expiresAt: number
  /** All claims of the token. They may be cached, so they must not be changed. */
  payload: Readonly<Record<string, unknown>>
}

export type ClaimRules = {
  issuer: string | null
  audience: string | null
  leewayMs: number
  /** The claim that holds the id of the user. */
  userIdClaim?: string
}

export type ClaimFault =
  | 'bad_claims'
  | 'not_yet_valid'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'expired'

export type Checked = { claims: Claims } | { fault: ClaimFault }

/** The default of simplejwt. */
export const USER_ID = 'user_id'

/** The last second that a `Date` can hold. */
const LATEST = 8.64e12

/** Checks types and values of all claims first, and the expiry last. */
export function checkClaims(
  payload: Record<string, unknown>,
  { issuer, audience, leewayMs, userIdClaim = USER_ID }: ClaimRules,
  now: number,
): Checked {
  const { token_type: type, jti, exp, iat = 0, nbf = 0, sid, iss, aud } = payload
  if (typeof type !== 'string' || typeof jti !== 'string' || jti === '') return BAD
  if (!isTime(exp) || !isTime(iat) || !isTime(nbf)) return BAD
  if (iat * SECOND > now + leewayMs + CLOCK_DIFFERENCE) return EARLY
  if (nbf * SECOND > now + leewayMs) return EARLY
  if (issuer !== null && iss !== issuer) return { fault: 'wrong_issuer' }
  if (audience !== null && ![aud].flat().includes(audience)) return { fault: 'wrong_audience' }

  const pk = toPk(payload[userIdClaim])
  const loginId = sid === undefined ? null : toLoginId(sid)
  if (pk === null || loginId === undefined) return BAD

  const expiresAt = exp * SECOND
  if (expiresAt + leewayMs <= now) return { fault: 'expired' }
  return { claims: { type, jti, pk, loginId, issuedAt: iat * SECOND, expiresAt, payload } }
}

const BAD: Checked = { fault: 'bad_claims' }
const EARLY: Checked = { fault: 'not_yet_valid' }

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= LATEST

/** Older versions of simplejwt write the id as a number, newer ones as text. */
function toPk(value: unknown): Pk | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' ? readPk(text) : null
}

const toLoginId = (sid: unknown): number | undefined =>
  typeof sid === 'string' ? (readLoginId(sid) ?? undefined) : undefined
