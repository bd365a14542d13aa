import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  hash,
  type JsonWebKey,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto'
import {
  type AlgorithmName,
  algorithms,
  isShared,
  type PairAlgorithm,
  type SharedAlgorithm,
} from './algorithms.ts'

/** What verification needs: one algorithm, and its keys by `kid`. */
export type VerifyingKeys = {
  algorithm: AlgorithmName
  verifying: ReadonlyMap<string, KeyObject>
}

export type JwtKeys = VerifyingKeys & {
  /** `kid` is null for a shared secret. */
  signing: { key: KeyObject; kid: string | null }
}

export type JwkSet = { keys: JsonWebKey[] }

/** The key is the bytes of the text, as in simplejwt. Other services configure the same text. */
export function sharedSecret(algorithm: SharedAlgorithm, secret: string): JwtKeys {
  const key = createSecretKey(secret, 'utf8')
  return { algorithm, signing: { key, kid: null }, verifying: new Map([['', key]]) }
}

export function keyPair(algorithm: AlgorithmName, privatePem: string): JwtKeys {
  const key = readKey(createPrivateKey, privatePem, algorithm)
  const publicKey = createPublicKey(key)
  const kid = keyId(publicKey)
  return { algorithm, signing: { key, kid }, verifying: new Map([[kid, publicKey]]) }
}

/** Public keys that verify as well, of former or future signing keys. */
export function furtherKeys(
  algorithm: AlgorithmName,
  pems: readonly string[],
): VerifyingKeys['verifying'] {
  const keys = pems.map((pem) => readKey(createPublicKey, pem, algorithm))
  return new Map(keys.map((key) => [keyId(key), key]))
}

function readKey(
  read: (pem: string) => KeyObject,
  pem: string,
  algorithm: AlgorithmName,
): KeyObject {
  const { takes, keyKind } = algorithms[algorithm]
  const key = parse()
  if (!takes(key)) throw new Error(`is not ${keyKind}, which ${algorithm} needs`)
  return key

  function parse(): KeyObject {
    try {
      return read(pem)
    } catch {
      // OpenSSL's own message does not help, and may quote the key.
      throw new Error('is not a key in PEM, or not the kind that is needed here')
    }
  }
}

/** The members of each key type in the order in which RFC 7638 hashes them. */
const THUMBPRINT_MEMBERS: Record<string, readonly (keyof JsonWebKey)[]> = {
  RSA: ['e', 'kty', 'n'],
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
}

/** The thumbprint of RFC 7638, so a key has the same id everywhere. */
export function keyId(publicKey: KeyObject): string {
  const jwk = publicKey.export({ format: 'jwk' })
  const members = THUMBPRINT_MEMBERS[jwk.kty ?? ''] ?? []
  const canonical = JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name]])))
  return hash('sha256', canonical, 'base64url')
}

/** The published key set. A shared secret is never in it. */
export function publicKeySet({ algorithm, verifying }: VerifyingKeys): JwkSet {
  if (isShared(algorithm)) return { keys: [] }
  const keys = [...verifying].map(([kid, key]) => ({
    ...key.export({ format: 'jwk' }),
    kid,
    use: 'sig',
    alg: algorithm,
  }))
  return { keys }
}

/** A key pair in PEM, and the `kid` under which it is published. */
type KeyPems = { kid: string; privatePem: string; publicPem: string }

const NEW_RSA_BITS = 3072

const rsa = () => generateKeyPairSync('rsa', { modulusLength: NEW_RSA_BITS })

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
