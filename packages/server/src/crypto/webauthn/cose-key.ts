import { createPublicKey, type JsonWebKeyInput } from 'node:crypto'
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import { EDDSA, ES256, RS256 } from './credential.ts'

const RSA_MIN_BITS = 2048
const RSA_MAX_BITS = 4096

export const algorithmOf = (encoded: Uint8Array<ArrayBuffer>): unknown => read(encoded).get(3)

type CoseKey = { get(label: number): unknown; readonly size: number }
type Jwk = JsonWebKeyInput['key']

/**
 * Checks that a key has exactly the members that its algorithm needs, on the right curve, and
 * returns the algorithm.
 */
export function checkCoseKey(encoded: Uint8Array<ArrayBuffer>): number {
  const key = read(encoded)
  const algorithm = key.get(3)
  const form = forms.find((one) => one.algorithm === algorithm)
  if (!form) throw new Error('the algorithm of the key was not offered')
  if (key.get(1) !== form.type || key.size !== form.members) {
    throw new Error('the key does not fit its algorithm')
  }
  // Throws for a point that is not on the curve.
  const { asymmetricKeyDetails } = createPublicKey({ format: 'jwk', key: form.jwk(key) })
  const { modulusLength = RSA_MIN_BITS } = asymmetricKeyDetails ?? {}
  if (modulusLength < RSA_MIN_BITS) throw new Error('the modulus is too short')
  return form.algorithm
}

const forms: { algorithm: number; type: number; members: number; jwk(key: CoseKey): Jwk }[] = [
  {
    algorithm: ES256,
    type: 2,
    members: 5,
    jwk: (key) => {
      if (key.get(-1) !== 1) throw new Error('the key is not on P-256')
      return { kty: 'EC', crv: 'P-256', x: text(key, -2, 32), y: text(key, -3, 32) }
    },
  },
  {
    algorithm: EDDSA,
    type: 1,
    members: 4,
    jwk: (key) => {
      if (key.get(-1) !== 6) throw new Error('the key is not on Ed25519')
      return { kty: 'OKP', crv: 'Ed25519', x: text(key, -2, 32) }
    },
  },
  {
    algorithm: RS256,
    type: 3,
    members: 4,
    // Authenticators use only this exponent. A large one would make verification slow.
    jwk: (key) => {
      if (text(key, -2, 3) !== 'AQAB') throw new Error('the exponent is not 65537')
      return { kty: 'RSA', n: text(key, -1, RSA_MIN_BITS / 8, RSA_MAX_BITS / 8), e: 'AQAB' }
    },
  },
]

const read = (encoded: Uint8Array<ArrayBuffer>): CoseKey =>
  decodeCredentialPublicKey(encoded) as unknown as CoseKey

function text(key: CoseKey, label: number, least: number, most = least): string {
  const bytes = key.get(label)
  if (!(bytes instanceof Uint8Array) || bytes.length < least || bytes.length > most) {
    throw new Error('a number of the key has a bad length')
  }
  return Buffer.from(bytes).toString('base64url')
}
