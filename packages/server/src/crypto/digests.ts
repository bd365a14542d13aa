import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * For looking up secrets of 128 or more random bits. They cannot be guessed, so they need no salt
 * and no slow hash.
 */
export const digest = (secret: string): string => hash('sha256', secret, 'base64url')

/** Compares secrets in constant time, so the duration does not reveal how many characters match. */
export function isEqualText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Derives one key per purpose from `SECRET_KEY`. A value made for one purpose is then useless for
 * another.
 */
export const derivedKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `latchkey/${purpose}`, 32))

export type KeyedDigest = ReturnType<typeof createKeyedDigest>

/**
 * For looking up secrets that are short enough to type. Without the key, nobody can try all of
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
