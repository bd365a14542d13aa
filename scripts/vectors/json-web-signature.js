import { createPublicKey, createSecretKey } from 'node:crypto'
import { fromSources } from '../from-sources.js'

const { algorithms, compactVerifier } = await fromSources({
  'crypto/jwt/algorithms.ts': 'algorithms',
  'crypto/jwt/compact.ts': 'compactVerifier',
})

/** Project Wycheproof: every signature must be accepted or refused as the file says. */
export const jsonWebSignature = {
  file: 'wycheproof-json-web-signature.json',

  run({ testGroups }) {
    const ours = testGroups.filter((group) => algorithmOf(group) in algorithms)
    const tests = ours.flatMap((group) => {
      const verify = verifierFor(group)
      return group.tests.map((test) => ({
        ...test,
        accepted: verify(test.jws),
        wanted: shouldBeAccepted(test, group),
      }))
    })
    const failures = tests
      .filter(({ accepted, wanted }) => accepted !== wanted)
      .map(
        ({ tcId, comment, accepted }) => `${tcId} ${comment}: ${accepted ? 'accepted' : 'refused'}`,
      )
    const all = testGroups.reduce((sum, group) => sum + group.tests.length, 0)
    return { checked: tests.length, skipped: all - tests.length, failures }
  },
}

const COMPACT = /^[\w-]+\.[\w-]*\.[\w-]+$/

/**
 * Four cases of the file contradict their names. Two valid ones have a character that is
 * not in the alphabet (372, 373). Two invalid ones have lost the padding that they test and
 * are the same as a valid one (367, 370).
 */
const shouldBeAccepted = ({ jws }, { tests }) =>
  COMPACT.test(jws) && tests.some((test) => test.jws === jws && test.result === 'valid')

const keyOf = (group) => group.public ?? group.private

/** If a key names no algorithm, the usual one for its kind is used. */
const algorithmOf = (group) => keyOf(group).alg ?? { RSA: 'RS256', EC: 'ES256' }[keyOf(group).kty]

function verifierFor(group) {
  const jwk = keyOf(group)
  const algorithm = algorithmOf(group)
  // Operators configure keys. A key for encryption is refused before any token is checked.
  const isForSigning =
    (jwk.use ?? 'sig') === 'sig' && (jwk.key_ops ?? ['verify']).includes('verify')
  if (!isForSigning) return () => false
  const key =
    jwk.kty === 'oct'
      ? createSecretKey(jwk.k, 'base64url')
      : createPublicKey({ key: jwk, format: 'jwk' })
  const open = compactVerifier({ algorithm, verifying: new Map([[jwk.kid, key]]) })
  return (token) => typeof token === 'string' && Buffer.isBuffer(open(token))
}
