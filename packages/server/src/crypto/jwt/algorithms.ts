import { createHmac, type KeyObject, type SignKeyObjectInput, sign, verify } from 'node:crypto'
import { isEqualText } from '../equal-text.ts'
import { decodeBase64url } from './base64url.ts'

export type AlgorithmName = 'HS256' | 'RS256' | 'ES256' | 'EdDSA'

/** A signature algorithm and the one kind of key that it accepts. Signatures are in base64url. */
export type Algorithm = {
  sign(data: string, key: KeyObject): string
  verify(data: string, signature: string, key: KeyObject): boolean
  /** Whether a public key is of the right kind and strong enough. */
  takes(key: KeyObject): boolean
  /** The kind of key, in words for messages. */
  keyKind: string
}

const RSA_BITS = 2048
const P256_SIGNATURE_LENGTH = 86

const hmac = (data: string, key: KeyObject) =>
  createHmac('sha256', key).update(data).digest('base64url')

/** A signature with a key pair. `prepare` sets how the key is used. */
const byPair = (digest: 'sha256' | null, prepare = (key: KeyObject): SigningInput => key) => ({
  sign: (data: string, key: KeyObject) =>
    sign(digest, Buffer.from(data), prepare(key)).toString('base64url'),
  verify(data: string, signature: string, key: KeyObject) {
    const bytes = decodeBase64url(signature)
    return bytes !== null && verify(digest, Buffer.from(data), prepare(key), bytes)
  },
})

type SigningInput = KeyObject | SignKeyObjectInput

/** JWS wants R and S side by side, not in DER. */
const ecdsa = byPair('sha256', (key) => ({ key, dsaEncoding: 'ieee-p1363' }))

export const algorithms: Readonly<Record<AlgorithmName, Algorithm>> = {
  HS256: {
    sign: hmac,
    verify: (data, signature, key) => isEqualText(signature, hmac(data, key)),
    takes: ({ type }) => type === 'secret',
    keyKind: 'a secret text',
  },
  RS256: {
    ...byPair('sha256'),
    takes: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
      asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS,
    keyKind: `an RSA key of ${RSA_BITS} bits or more`,
  },
  ES256: {
    ...ecdsa,
    verify: (data, signature, key) =>
      signature.length === P256_SIGNATURE_LENGTH && ecdsa.verify(data, signature, key),
    takes: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
      asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1',
    keyKind: 'an elliptic key on P-256',
  },
  EdDSA: {
    ...byPair(null),
    takes: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519',
    keyKind: 'an Ed25519 key',
  },
}
