import { createHash } from 'node:crypto'
import type { JWK } from 'jose'
import { isObject } from '../../kernel/json-object.ts'

/**
 * The accepted signature algorithms of ID tokens, each with the hash for its `at_hash`. All use a
 * key that only the issuer holds: `none` and shared secrets are refused.
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

const hashOf = (algorithm: string): string => HASHES[algorithm as keyof typeof HASHES]

/**
 * The `at_hash` that an ID token with this algorithm must have if it was issued with this access
 * token.
 */
export function accessTokenHash(accessToken: string, algorithm: string): string {
  const hash = createHash(hashOf(algorithm)).update(accessToken, 'ascii').digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}

const MAX_KEYS = 100
const PUBLIC_KEY_TYPES = ['RSA', 'EC', 'OKP']

/** The keys of a published set that may verify signatures. Other keys are ignored. */
export function usableKeys(keySet: unknown): JWK[] | null {
  if (!isObject(keySet) || !Array.isArray(keySet.keys)) return null
  return keySet.keys.slice(0, MAX_KEYS).filter(isUsable)
}

function isUsable(key: unknown): key is JWK {
  if (!isObject(key)) return false
  const { kty, use, alg, key_ops, d, k } = key as JWK
  return (
    PUBLIC_KEY_TYPES.includes(kty ?? '') &&
    (use === undefined || use === 'sig') &&
    (alg === undefined || ALGORITHMS.includes(alg)) &&
    (key_ops === undefined || (Array.isArray(key_ops) && key_ops.includes('verify'))) &&
    d === undefined &&
    k === undefined
  )
}
