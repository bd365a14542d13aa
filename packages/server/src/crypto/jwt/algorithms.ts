import { createHmac, type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto'

export type AlgorithmName = 'HS256' | 'RS256' | 'ES256' | 'EdDSA'

/** One way to sign, and the only kind of key that it takes. */
export type Algorithm = {
  sign(data: string, key: KeyObject): Buffer
  verify(data: string, signature: Buffer, key: KeyObject): boolean
  /** Whether a public key is of the right kind, and strong enough. */
  takes(key: KeyObject): boolean
  /** What it takes, in words. */
  keyKind: string
}

const RSA_BITS = 2048
const P256_SIGNATURE_BYTES = 64

const hmac = (data: string, key: KeyObject) => createHmac('sha256', key).update(data).digest()

/** R and S side by side, as JWS wants them, not in DER. */
const asJws = (key: KeyObject) => ({ key, dsaEncoding: 'ieee-p1363' as const })

export const algorithms: Readonly<Record<AlgorithmName, Algorithm>> = {
  HS256: {
    sign: hmac,
    verify(data, signature, key) {
      const expected = hmac(data, key)
      return signature.length === expected.length && timingSafeEqual(signature, expected)
    },
    takes: ({ type }) => type === 'secret',
    keyKind: 'a secret text',
  },
  RS256: {
    sign: (data, key) => sign('sha256', Buffer.from(data), key),
    verify: (data, signature, key) => verify('sha256', Buffer.from(data), key, signature),
    takes: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
      asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS,
    keyKind: `an RSA key of ${RSA_BITS} bits or more`,
  },
  ES256: {
    sign: (data, key) => sign('sha256', Buffer.from(data), asJws(key)),
    verify: (data, signature, key) =>
      signature.length === P256_SIGNATURE_BYTES &&
      verify('sha256', Buffer.from(data), asJws(key), signature),
    takes: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
      asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1',
    keyKind: 'an elliptic key on P-256',
  },
  EdDSA: {
    sign: (data, key) => sign(null, Buffer.from(data), key),
    verify: (data, signature, key) => verify(null, Buffer.from(data), key, signature),
    takes: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519',
    keyKind: 'an Ed25519 key',
  },
}
