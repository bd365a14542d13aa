import type { ClaimFault } from '../crypto/jwt/claims.ts'
import type { CompactFault } from '../crypto/jwt/compact.ts'

/** Why a token is refused. */
export type RefusalCode =
  | CompactFault
  | ClaimFault
  | 'wrong_type'
  | 'impersonated'
  | 'keys_unavailable'

const WORDS: Readonly<Record<RefusalCode, string>> = {
  malformed: 'This is not a JSON Web Token in the form that Latchkey makes.',
  unknown_key: 'The token names a key or an algorithm that is not known here.',
  bad_signature: 'The signature does not belong to the token, or to none of the known keys.',
  bad_claims: 'A claim is missing, or has a value that no token of Latchkey has.',
  not_yet_valid: 'The token is from the future.',
  wrong_issuer: 'The token was made by another issuer.',
  wrong_audience: 'The token was made for another audience.',
  expired: 'The token has expired.',
  wrong_type: 'The token is not an access token.',
  impersonated: 'An operator uses the token, and this service does not accept that.',
  keys_unavailable: 'The keys that check tokens could not be fetched.',
}

/** The only error of `verify(token)`. It never contains a part of the token. */
export class TokenRefused extends Error {
  readonly code: RefusalCode
  /**
   * The status to answer with: 503 if the keys are not available, which says nothing about the
   * token, otherwise 401. Express and Fastify read it from here.
   */
  readonly status: 401 | 503

  constructor(code: RefusalCode, options?: { cause: unknown }) {
    super(WORDS[code], options)
    this.name = 'TokenRefused'
    this.code = code
    this.status = code === 'keys_unavailable' ? 503 : 401
  }
}
