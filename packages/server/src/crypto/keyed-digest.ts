import { createHmac } from 'node:crypto'
import { derivedKey } from './derived-key.ts'

export type KeyedDigest = ReturnType<typeof createKeyedDigest>

/**
 * For finding secrets that are short enough to be typed. Without the key, nobody can try all of
 * them against a stolen database.
 */
export function createKeyedDigest(
  secretKey: string,
  fallbacks: readonly string[],
  purpose: string,
) {
  const keys = [secretKey, ...fallbacks].map((secret) => derivedKey(secret, purpose))
  const digests = (text: string): string[] =>
    keys.map((key) => createHmac('sha256', key).update(text).digest('base64url'))

  return {
    of: (text: string): string => digests(text)[0] ?? '',
    /** The digests under the current key and every former one. */
    allOf: digests,
  }
}
