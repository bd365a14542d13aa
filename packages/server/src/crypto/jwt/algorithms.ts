import { createHmac, type KeyObject, type SignKeyObjectInput, sign, verify } from 'node:crypto'
import { decodeBase64url } from '../canonical.ts'
import { isEqualText } from '../digests.ts'

/** A signature algorithm and the one kind of key that it accepts. Signatures are in base64url. */
type SignatureAlgorithm = {
  sign(data: string, key: KeyObject): string
  verify(data: string, signature: string, key: KeyObject): boolean
  /** Whether a public key is of the right kind and strong enough. */
  takes(key: KeyObject): boolean
  /** The kind of key, in words for messages. */
  keyKind: string
}

export type SharedAlgorithm = 'HS256' | 'HS384' | 'HS512'
export type PairAlgorithm = 'RS256' | 'RS384' | 'RS512' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA'
export type AlgorithmName = SharedAlgorithm | PairAlgorithm

type Digest = 'sha256' | 'sha384' | 'sha512'
type SigningInput = KeyObject | SignKeyObjectInput

const RSA_BITS_MIN = 2048

/** RFC 7518, section 3.2: a shared key must have at least as many bytes as the hash. */
const shared = {
  HS256: { digest: 'sha256', keyBytes: 32 },
  HS384: { digest: 'sha384', keyBytes: 48 },
  HS512: { digest: 'sha512', keyBytes: 64 },
} satisfies Readonly<Record<SharedAlgorithm, { digest: Digest; keyBytes: number }>>

export const isShared = (name: AlgorithmName): name is SharedAlgorithm => name in shared

/** A shorter key could be guessed from one token, whatever the hash. */
export const SHORTEST_SHARED_KEY = 32

/** How many bytes the standard requires of a shared key. */
export const sharedKeyBytes = (name: SharedAlgorithm): number => shared[name].keyBytes

function hmac(name: SharedAlgorithm): SignatureAlgorithm {
  const signatureOf = (data: string, key: KeyObject) =>
    createHmac(shared[name].digest, key).update(data).digest('base64url')
  return {
    sign: signatureOf,
    verify: (data, signature, key) => isEqualText(signature, signatureOf(data, key)),
    takes: ({ type }) => type === 'secret',
    keyKind: 'a secret text',
  }
}

/** Signs with a key pair. `prepare` sets how the key is used. */
const byPair = (digest: Digest | null, prepare = (key: KeyObject): SigningInput => key) => ({
  sign: (data: string, key: KeyObject) =>
    sign(digest, Buffer.from(data), prepare(key)).toString('base64url'),
  verify(data: string, signature: string, key: KeyObject) {
    const bytes = decodeBase64url(signature)
    return bytes !== null && verify(digest, Buffer.from(data), prepare(key), bytes)
  },
})

const rsa = (digest: Digest): SignatureAlgorithm => ({
  ...byPair(digest),
  takes: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
    asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN,
  keyKind: `an RSA key of ${RSA_BITS_MIN} bits or more`,
})

type Curve = { name: 'P-256' | 'P-384' | 'P-521'; openssl: string; signatureBytes: number }

function ecdsa(digest: Digest, { name, openssl, signatureBytes }: Curve): SignatureAlgorithm {
  // JWS wants R and S side by side, not in DER.
  const pair = byPair(digest, (key) => ({ key, dsaEncoding: 'ieee-p1363' }))
  const length = Math.ceil((signatureBytes * 4) / 3)
  return {
    ...pair,
    verify: (data, signature, key) =>
      signature.length === length && pair.verify(data, signature, key),
    takes: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
      asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === openssl,
    keyKind: `an elliptic key on ${name}`,
  }
}

export const algorithms: Readonly<Record<AlgorithmName, SignatureAlgorithm>> = {
  HS256: hmac('HS256'),
  HS384: hmac('HS384'),
  HS512: hmac('HS512'),
  RS256: rsa('sha256'),
  RS384: rsa('sha384'),
  RS512: rsa('sha512'),
  ES256: ecdsa('sha256', { name: 'P-256', openssl: 'prime256v1', signatureBytes: 64 }),
  ES384: ecdsa('sha384', { name: 'P-384', openssl: 'secp384r1', signatureBytes: 96 }),
  ES512: ecdsa('sha512', { name: 'P-521', openssl: 'secp521r1', signatureBytes: 132 }),
  EdDSA: {
    ...byPair(null),
    takes: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519',
    keyKind: 'an Ed25519 key',
  },
}

export const algorithmNames = Object.keys(algorithms) as AlgorithmName[]
