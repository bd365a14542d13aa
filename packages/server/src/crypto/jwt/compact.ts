import type { KeyObject } from 'node:crypto'
import { algorithms, isShared } from './algorithms.ts'
import { decodeBase64url, encodeBase64url } from './base64url.ts'
import type { JwtKeys, VerifyingKeys } from './keys.ts'
import { parseObject } from './parse-object.ts'

/**
 * Our own tokens have a few hundred characters. Longer texts are refused without a look at them.
 */
const LONGEST = 8192

/** Signs with the configured key. */
export function compactSigner({ algorithm, signing }: JwtKeys): (payload: string) => string {
  const { key, kid } = signing
  const header = encodeBase64url(
    JSON.stringify({ alg: algorithm, typ: 'JWT', ...(kid !== null && { kid }) }),
  )
  return (payload) => {
    const data = `${header}.${encodeBase64url(payload)}`
    return `${data}.${algorithms[algorithm].sign(data, key)}`
  }
}

/**
 * Returns the payload of a token in compact serialisation, or null. The configuration sets the
 * algorithm and the keys; the header of the token can only agree with them.
 */
export function compactVerifier(keys: VerifyingKeys): (token: string) => Buffer | null {
  const { verify } = algorithms[keys.algorithm]
  const keysFor = rememberLast((header) => candidates(keys, header))

  return (token) => {
    if (token.length > LONGEST) return null
    const [header = '', payload = '', signature = '', ...more] = token.split('.', 4)
    if (more.length > 0 || signature === '') return null

    const data = `${header}.${payload}`
    const isGood = keysFor(header).some((key) => verify(data, signature, key))
    return isGood ? decodeBase64url(payload) : null
  }
}

/** Nearly all tokens have the same header, so the last result is remembered. */
function rememberLast<T>(work: (text: string) => T): (text: string) => T {
  let last: { text: string; result: T } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, result: work(text) }
    return last.result
  }
}

/**
 * The keys that may have signed a token with this header; none if the header is not acceptable.
 * Keys and addresses of keys inside the header (`jwk`, `jku`, `x5c`, `x5u`) are never used: the
 * sender could have chosen them.
 */
function candidates({ algorithm, verifying }: VerifyingKeys, text: string): KeyObject[] {
  const bytes = decodeBase64url(text)
  const header = bytes && parseObject(bytes)
  if (!header || header.alg !== algorithm || 'crit' in header) return []
  const { typ = 'JWT', kid } = header
  if (typ !== 'JWT' || (kid !== undefined && typeof kid !== 'string')) return []
  // A shared secret has no `kid`, and other services sign without naming the key.
  if (kid === undefined || isShared(algorithm)) return [...verifying.values()]
  const named = verifying.get(kid)
  return named ? [named] : []
}
