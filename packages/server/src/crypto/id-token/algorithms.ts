/**
 * How an ID token may be signed: by a key that only its issuer holds. Neither `none` nor a shared
 * secret is among them. Beside each, the hash that its `at_hash` is made with.
 */
const HASHES = {
  RS256: 'sha256',
  RS384: 'sha384',
  RS512: 'sha512',
  PS256: 'sha256',
  PS384: 'sha384',
  PS512: 'sha512',
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
  EdDSA: 'sha512',
  Ed25519: 'sha512',
} as const

export const ALGORITHMS: readonly string[] = Object.keys(HASHES)

export const hashOf = (algorithm: string): string => HASHES[algorithm as keyof typeof HASHES]
