import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import type { AlgorithmName } from '../../src/crypto/jwt/algorithms.ts'
import { createJwt } from '../../src/crypto/jwt/jwt.ts'
import { loadJwtKeys } from '../../src/crypto/jwt/load-keys.ts'
import { brokenTokens } from '../support/broken-tokens.ts'
import { rsaKeyPair } from '../support/rsa-keys.ts'

const NOW = Date.UTC(2030, 0, 1, 12)
const SECRET = 'a secret key for tests only, long enough for a hash of 64 bytes, too'
const COUNT = 6000
/** The others share the rules of the fastest, and take up to a thousand times as long. */
const FEWER = 400
const FEW = 80

const newKeys: Record<AlgorithmName, () => { privateKey: KeyObject; publicKey: KeyObject } | null> =
  {
    HS256: () => null,
    HS384: () => null,
    HS512: () => null,
    RS256: rsaKeyPair,
    RS384: rsaKeyPair,
    RS512: rsaKeyPair,
    ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    ES512: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
    EdDSA: () => generateKeyPairSync('ed25519'),
  }

/**
 * The result of jose, and our additional rules: a token must have an expiry, must not have a
 * claim twice or be issued in the future, must name a user, and use only what we use ourselves.
 */
async function joseAccepts(token: string, algorithm: AlgorithmName, key: KeyObject | Uint8Array) {
  try {
    await jwtVerify(token, key, {
      algorithms: [algorithm],
      currentDate: new Date(NOW),
      requiredClaims: ['exp'],
    })
    return true
  } catch {
    return false
  }
}

test.each([
  ['HS256', COUNT],
  ['HS384', FEWER],
  ['HS512', FEWER],
  ['RS256', FEWER],
  ['RS384', FEW],
  ['RS512', FEW],
  ['ES256', FEWER],
  ['ES384', FEW],
  ['ES512', FEW],
  ['EdDSA', FEWER],
] as const)(
  'with %s the verifier agrees with jose on %i good and broken tokens',
  async (ALGORITHM, count) => {
    const pair = newKeys[ALGORITHM]()
    const SIGNING_KEY = pair?.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() ?? null
    const keys = loadJwtKeys({ ALGORITHM, SIGNING_KEY, VERIFYING_KEY: null }, SECRET)
    const rules = { issuer: null, audience: null, leewayMs: 0 }
    const ours = createJwt(keys, rules, { now: () => NOW })
    const joseKey = pair?.publicKey ?? new TextEncoder().encode(SECRET)

    const tally = { accepted: 0, refused: 0, stricter: 0 }
    const disagreements: string[] = []
    for (const { token, how, isStricter } of brokenTokens(keys, NOW, count)) {
      const we = 'claims' in ours.check(token)
      const expected = isStricter ? false : await joseAccepts(token, ALGORITHM, joseKey)
      if (we !== expected) disagreements.push(`${how}: ${token}`)
      tally[isStricter ? 'stricter' : we ? 'accepted' : 'refused'] += 1
    }
    expect(disagreements).toEqual([])
    // The comparison is useless if all tokens are good or all are bad.
    expect(tally.accepted).toBeGreaterThan(count / 20)
    expect(tally.refused).toBeGreaterThan(count / 2)
    expect(tally.stricter).toBeGreaterThan(count / 20)
  },
)
