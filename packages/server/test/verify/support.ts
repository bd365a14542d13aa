import { expect } from 'vitest'
import { type AlgorithmName, isShared } from '../../src/crypto/jwt/algorithms.ts'
import { createJwt } from '../../src/crypto/jwt/jwt.ts'
import { type JwtKeys, keyPair, sharedSecret } from '../../src/crypto/jwt/keys.ts'
import {
  buildVerifier,
  type KeySource,
  type VerifierOptions,
  type Verify,
} from '../../src/verify/build-verifier.ts'
import { pems } from '../support/jwt.ts'

export const NOW = Date.UTC(2030, 0, 1, 12)
export const SECRET = 'a secret key for tests only, long enough for a hash of 64 bytes, too'

/** A service that signs, as far as other services see it. */
export function newSigner(algorithm: AlgorithmName) {
  const pair = isShared(algorithm) ? null : pems[algorithm]()
  const keys: JwtKeys = isShared(algorithm)
    ? sharedSecret(algorithm, SECRET)
    : keyPair(algorithm, pair?.privatePem ?? '')
  const jwt = createJwt(keys, NO_RULES, clock)
  return {
    keys,
    /** What it gives to others: the secret, or the public key. */
    key: pair?.publicPem ?? SECRET,
    privatePem: pair?.privatePem ?? '',
    jwks: jwt.publicKeys,
    check: jwt.check,
    access: (more: Record<string, unknown> = {}) => sign('access', more),
    refresh: () => sign('refresh', {}),
  }

  function sign(type: 'access' | 'refresh', more: Record<string, unknown>): string {
    return jwt.sign({ type, pk: 1, loginId: 7, expiresAt: NOW + 300_000, more }).token
  }
}

const NO_RULES = { issuer: null, audience: null, leewayMs: 0 }
const clock = { now: () => NOW }

export const newVerifier = (
  source: KeySource,
  options: VerifierOptions = {},
  needs: Partial<Parameters<typeof buildVerifier>[2]> = {},
): Verify => buildVerifier(source, options, { clock, timeoutMs: 30_000, ...needs })

/** The code with which a token is refused. */
export async function codeOf(checked: Promise<unknown>): Promise<string> {
  const error = await checked.then(
    (claims) => expect.fail(`It is accepted: ${JSON.stringify(claims)}`),
    (error: unknown) => error,
  )
  expect(error).toMatchObject({ name: 'TokenRefused', code: expect.any(String) })
  return (error as { code: string }).code
}
