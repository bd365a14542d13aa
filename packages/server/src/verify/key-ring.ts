import { parseObject } from '../crypto/canonical.ts'
import { algorithmNames, isShared } from '../crypto/jwt/algorithms.ts'
import { type CompactFault, compactVerifier, rememberGood } from '../crypto/jwt/compact.ts'
import type { NamedKey } from './read-key.ts'

/** Checks the signature of a token, and returns the JSON text of its claims. */
export type KeyRing = (token: string) => { json: string } | CompactFault | 'bad_claims'

/** With tokens of the usual size this takes half a megabyte. */
const REMEMBERED = 512

/**
 * Tries only the keys whose algorithm the token names, so a public key is never used as a secret.
 * Valid signatures are cached, since an access token comes with many requests. Other keys need
 * another ring, with its own cache.
 */
export function keyRing(keys: readonly NamedKey[]): KeyRing {
  const verifiers = algorithmNames.flatMap((algorithm) => {
    const own = keys.filter((key) => key.algorithm === algorithm)
    // Tokens do not name secrets, whatever `kid` a JWK has. So each secret gets a key of its own here.
    const named = !isShared(algorithm)
    const verifying = new Map(
      own.map(({ kid, key }, index) => [(named && kid) || String(index), key]),
    )
    return own.length > 0 ? [compactVerifier({ algorithm, verifying })] : []
  })

  return rememberGood(open, (opened) => typeof opened === 'object', REMEMBERED)

  function open(token: string): ReturnType<KeyRing> {
    let fault: CompactFault = 'unknown_key'
    for (const verify of verifiers) {
      const opened = verify(token)
      if (typeof opened !== 'string') return textOf(opened)
      if (opened !== 'unknown_key') fault = opened
    }
    return fault
  }
}

/** Caches the text, not the object, because callers may change the object. */
const textOf = (payload: Buffer) =>
  parseObject(payload) ? { json: payload.toString() } : 'bad_claims'
