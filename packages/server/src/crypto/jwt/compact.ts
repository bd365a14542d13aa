import type { KeyObject } from 'node:crypto'
import { decodeBase64url, encodeBase64url, parseObject } from '../canonical.ts'
import { algorithms, isShared } from './algorithms.ts'
import type { JwtKeys, VerifyingKeys } from './keys.ts'

/** Our own tokens have a few hundred characters. Longer texts are refused unread. */
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

/** Why a text is not a token signed by one of our keys. */
export type CompactFault = 'malformed' | 'unknown_key' | 'bad_signature'

/**
 * Returns the payload of a token in compact serialisation, or what is wrong with it. The
 * configuration sets the algorithm and the keys; the header of the token can only agree with them.
 */
export function compactVerifier(keys: VerifyingKeys): (token: string) => Buffer | CompactFault {
  const { verify } = algorithms[keys.algorithm]
  const keysFor = rememberLast((header) => candidates(keys, header))

  return (token) => {
    if (token.length > LONGEST) return 'malformed'
    const [header = '', payload = '', signature = '', ...more] = token.split('.', 4)
    if (more.length > 0 || signature === '') return 'malformed'

    const found = keysFor(header)
    if (typeof found === 'string') return found
    const data = `${header}.${payload}`
    const isGood = found.some((key) => verify(data, signature, key))
    return isGood ? (decodeBase64url(payload) ?? 'malformed') : 'bad_signature'
  }
}

/** Nearly all tokens have the same header, so the last result is cached. */
function rememberLast<T>(work: (text: string) => T): (text: string) => T {
  let last: { text: string; result: T } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, result: work(text) }
    return last.result
  }
}

type Candidates = KeyObject[] | CompactFault

/**
 * The keys that may have signed a token with this header, or why the header is not acceptable. Keys
 * and addresses of keys inside the header (`jwk`, `jku`, `x5c`, `x5u`) are never used: the
 * sender could have chosen them.
 */
function candidates({ algorithm, verifying }: VerifyingKeys, text: string): Candidates {
  const bytes = decodeBase64url(text)
  const header = bytes && parseObject(bytes)
  if (!header || 'crit' in header) return 'malformed'
  const { alg, typ = 'JWT', kid } = header
  if (typ !== 'JWT' || (kid !== undefined && typeof kid !== 'string')) return 'malformed'
  if (alg !== algorithm) return 'unknown_key'
  // A shared secret has no `kid`, and other services sign without naming the key.
  if (kid === undefined || isShared(algorithm)) return [...verifying.values()]
  const named = verifying.get(kid)
  return named ? [named] : 'unknown_key'
}

/**
 * Caches the claims of tokens with a valid signature. A valid signature stays valid, since keys
 * do not change while the service runs. Expiry and revocation are not cached: they are checked
 * every time. There are two generations: after `most` new tokens, the older generation is dropped,
 * except for tokens that were used again.
 */
export function rememberGood<T>(
  open: (token: string) => T,
  /** Whether the token is valid and of a type that is sent more than once. */
  comesAgain: (opened: T) => boolean,
  most: number,
): (token: string) => T {
  let recent = new Map<string, T>()
  let former = new Map<string, T>()

  return (token) => {
    const remembered = recent.get(token)
    if (remembered !== undefined) return remembered
    const opened = former.get(token) ?? open(token)
    if (comesAgain(opened)) remember(token, opened)
    return opened
  }

  function remember(token: string, opened: T): void {
    if (recent.size >= most) {
      former = recent
      recent = new Map()
    }
    recent.set(copyOf(token), opened)
  }
}

/**
 * The token may be a slice of the text of a whole request. Without a copy, V8 would keep that text
 * in memory.
 */
const copyOf = (token: string): string => Buffer.from(token, 'latin1').toString('latin1')
