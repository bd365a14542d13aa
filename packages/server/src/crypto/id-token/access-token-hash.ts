import { createHash } from 'node:crypto'
import { hashOf } from './algorithms.ts'

/**
 * The `at_hash` that an ID token with this algorithm must have if it was issued with this access
 * token.
 */
export function accessTokenHash(accessToken: string, algorithm: string): string {
  const hash = createHash(hashOf(algorithm)).update(accessToken, 'ascii').digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}
