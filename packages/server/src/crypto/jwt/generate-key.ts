import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
} from 'node:crypto'
import type { PairAlgorithm } from './algorithms.ts'
import { keyId } from './keys.ts'

/** A key pair in PEM, and the `kid` under which it is published. */
export type KeyPems = { kid: string; privatePem: string; publicPem: string }

const RSA_BITS = 3072

const rsa = () => generateKeyPairSync('rsa', { modulusLength: RSA_BITS })

const generate: Record<PairAlgorithm, () => KeyPairKeyObjectResult> = {
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}

export const pairAlgorithms = Object.keys(generate) as PairAlgorithm[]

export function generateKey(algorithm: PairAlgorithm): KeyPems {
  const { privateKey } = generate[algorithm]()
  return pemsOf(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
}

export function pemsOf(privatePem: string): KeyPems {
  const publicKey = createPublicKey(createPrivateKey(privatePem))
  const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }))
  return { kid: keyId(publicKey), privatePem, publicPem }
}
