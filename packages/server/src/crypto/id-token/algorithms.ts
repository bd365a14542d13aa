/**
 * The accepted signatures of ID tokens: only those by a key that the issuer alone holds. `none` and
 * shared secrets are not among them. Each comes with the hash for its `at_hash`.
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
