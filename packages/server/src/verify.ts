import { SECOND, systemClock } from './kernel/clock.ts'
import {
  buildVerifier,
  type KeySource,
  type VerifierOptions,
  type Verify,
} from './verify/build-verifier.ts'

export type { AccessClaims, KeySource, VerifierOptions, Verify } from './verify/build-verifier.ts'
export type { Algorithm, VerifyingKey } from './verify/read-key.ts'
export { type RefusalCode, TokenRefused } from './verify/token-refused.ts'

/**
 * Makes a function that checks access tokens of a Latchkey service. It sends no requests except,
 * with `jwksUrl`, for the public keys. So a token is accepted until it expires, even if its login
 * has ended.
 */
export const createVerifier = (source: KeySource, options: VerifierOptions = {}): Verify =>
  buildVerifier(source, options, { clock: systemClock, timeoutMs: 5 * SECOND })
