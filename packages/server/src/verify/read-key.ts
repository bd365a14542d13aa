import { createPublicKey, createSecretKey, type JsonWebKeyInput, KeyObject } from 'node:crypto'
import {
  type AlgorithmName,
  algorithmNames,
  algorithms,
  isShared,
  SHORTEST_SHARED_KEY,
} from '../crypto/jwt/algorithms.ts'
import { keyId } from '../crypto/jwt/keys.ts'

/** How tokens are signed: `SIMPLE_JWT.ALGORITHM` of the service. */
export type Algorithm = AlgorithmName

/** A key in JSON. Newer types of Node no longer export `JsonWebKey`. */
type Jwk = JsonWebKeyInput['key']

/** A secret text, a public key in PEM, a JWK, or a key object of `node:crypto`. */
export type VerifyingKey = string | Jwk | KeyObject

/** A key, the only algorithm that it is used with, and the name that tokens give it. */
export type NamedKey = { key: KeyObject; algorithm: Algorithm; kid: string }

/** Throws if it is not a key that verifies tokens. The message never quotes the key. */
export function readKey(given: VerifyingKey, wanted?: Algorithm): NamedKey {
  const { key, alg, kid } = parse(given)
  if (key.type === 'private') throw refusal(IS_PRIVATE)
  const named = wanted ?? alg
  const algorithm = named === undefined ? usualFor(key) : known(named)
  const { takes, keyKind } = algorithms[algorithm]
  if (!takes(key)) throw refusal(`is not ${keyKind}, which ${algorithm} needs`)
  if (isShared(algorithm) && (key.symmetricKeySize ?? 0) < SHORTEST_SHARED_KEY) {
    throw refusal(`is shorter than ${SHORTEST_SHARED_KEY} bytes, so it could be guessed`)
  }
  return { key, algorithm, kid: kid ?? (isShared(algorithm) ? '' : keyId(key)) }
}

const IS_PRIVATE = 'is private: only the public half belongs here'

type Parsed = { key: KeyObject; alg?: string | undefined; kid?: string | undefined }

function parse(given: VerifyingKey): Parsed {
  if (given instanceof KeyObject) return { key: given }
  if (typeof given === 'string') return { key: ofText(given) }
  if (typeof given !== 'object' || given === null) throw refusal('is missing')
  const { alg, kid } = given as Record<string, unknown>
  if (typeof given.d === 'string') throw refusal(IS_PRIVATE)
  return {
    key: ofJwk(given),
    ...(typeof alg === 'string' && { alg }),
    ...(typeof kid === 'string' && { kid }),
  }
}

const ofText = (text: string): KeyObject =>
  text.includes('-----BEGIN') ? ofPem(text) : ofSecret(text)

/** Environment variables often contain line breaks as `\n`. */
function ofPem(text: string): KeyObject {
  if (text.includes('PRIVATE KEY-----')) throw refusal(IS_PRIVATE)
  return attempt(() => createPublicKey(text.replaceAll('\\n', '\n')))
}

/**
 * If a public text were used as a secret, anybody could forge tokens. So texts that look like a
 * public key in another form, or like an address, are refused.
 */
function ofSecret(text: string): KeyObject {
  if (PUBLIC_TEXT.test(text) || isPublicKeyInDer(text)) {
    throw refusal('is neither a secret nor PEM: give a JWK as an object, an address as `jwksUrl`')
  }
  return createSecretKey(text, 'utf8')
}

const PUBLIC_TEXT = /^\s*(https?:|ssh-|ecdsa-|\{.*"kty")/s

function isPublicKeyInDer(text: string): boolean {
  const key = Buffer.from(text, 'base64')
  return (['spki', 'pkcs1'] as const).some((type) => {
    try {
      return createPublicKey({ key, format: 'der', type }).type === 'public'
    } catch {
      return false
    }
  })
}

const ofJwk = (jwk: Jwk): KeyObject =>
  jwk.kty === 'oct'
    ? createSecretKey(jwk.k ?? '', 'base64url')
    : attempt(() => createPublicKey({ key: jwk, format: 'jwk' }))

function attempt(read: () => KeyObject): KeyObject {
  try {
    return read()
  } catch {
    // OpenSSL's own message does not help, and may quote the key.
    throw refusal('cannot be read')
  }
}

/** The default algorithm of the service for such a key. */
function usualFor(key: KeyObject): Algorithm {
  const found = algorithmNames.find((name) => algorithms[name].takes(key))
  if (!found) throw refusal('is of a kind that Latchkey does not sign with')
  return found
}

function known(name: string): Algorithm {
  const found = algorithmNames.find((one) => one === name)
  if (!found) throw refusal(`is for ${name}, which Latchkey does not sign with`)
  return found
}

const refusal = (words: string) => new TypeError(`createVerifier: the key ${words}.`)
