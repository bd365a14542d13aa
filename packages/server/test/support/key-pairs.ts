import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { CborMap } from './cbor-encoder.ts'
import { rsaKeyPair } from './rsa-keys.ts'

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256'

export type KeyPair = {
  /** The number of the algorithm in COSE. */
  alg: number
  coseKey: CborMap
  sign(data: Buffer): Buffer
}

/** A key pair as authenticators have them. */
export function createKeyPair(algorithm: Algorithm): KeyPair {
  switch (algorithm) {
    case 'ES256': {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x, y } = numbersOf(publicKey)
      return pair(
        -7,
        [
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, x],
          [-3, y],
        ],
        'sha256',
        privateKey,
      )
    }
    case 'EdDSA': {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const { x } = numbersOf(publicKey)
      return pair(
        -8,
        [
          [1, 1],
          [3, -8],
          [-1, 6],
          [-2, x],
        ],
        null,
        privateKey,
      )
    }
    case 'RS256': {
      const { publicKey, privateKey } = rsaKeyPair()
      const { n, e } = numbersOf(publicKey)
      return pair(
        -257,
        [
          [1, 3],
          [3, -257],
          [-1, n],
          [-2, e],
        ],
        'sha256',
        privateKey,
      )
    }
  }
}

const pair = (
  alg: number,
  members: [number, number | Buffer][],
  hash: string | null,
  privateKey: KeyObject,
): KeyPair => ({
  alg,
  coseKey: new Map(members),
  sign: (data) => sign(hash, data, privateKey),
})

function numbersOf(publicKey: KeyObject) {
  const jwk = publicKey.export({ format: 'jwk' })
  const bytes = (name: 'x' | 'y' | 'n' | 'e') => Buffer.from(jwk[name] ?? '', 'base64url')
  return { x: bytes('x'), y: bytes('y'), n: bytes('n'), e: bytes('e') }
}
