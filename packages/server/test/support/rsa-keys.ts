import { createPrivateKey, createPublicKey, type KeyPairKeyObjectResult } from 'node:crypto'
import keys from '../fixtures/rsa-keys.json' with { type: 'json' }

let asked = 0

/** A pair unlike the last three. Making one takes longer than most tests, so they are stored. */
export function rsaKeyPair(): KeyPairKeyObjectResult {
  const key = keys[asked++ % keys.length]
  if (!key) throw new Error('There are no keys.')
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
