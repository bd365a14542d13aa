import { createPublicKey, createSecretKey } from 'node:crypto'
import { loadSource } from '../load-source.js'

const { algorithms } = await loadSource('crypto/jwt/algorithms.ts')
const { compactVerifier } = await loadSource('crypto/jwt/compact.ts')

/** Project Wycheproof: every signature must be judged as it says. */
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
 * Four cases of the file are at odds with their names: two valid ones have a character that is
 * not of the alphabet (372, 373), and two invalid ones lost the padding that they are about and
 * are the text of a valid one (367, 370).
 */
const shouldBeAccepted = ({ jws }, { tests }) =>
  COMPACT.test(jws) && tests.some((test) => test.jws === jws && test.result === 'valid')

const keyOf = (group) => group.public ?? group.private

/** Keys that do not name an algorithm are tried with the one that their kind suggests. */
const algorithmOf = (group) => keyOf(group).alg ?? { RSA: 'RS256', EC: 'ES256' }[keyOf(group).kty]

function verifierFor(group) {
  const jwk = keyOf(group)
  const algorithm = algorithmOf(group)
  // Keys are configured by an operator; one for encryption is refused before any token comes.
  const isForSigning =
    (jwk.use ?? 'sig') === 'sig' && (jwk.key_ops ?? ['verify']).includes('verify')
  if (!isForSigning) return () => false
  const key =
    jwk.kty === 'oct'
      ? createSecretKey(jwk.k, 'base64url')
      : createPublicKey({ key: jwk, format: 'jwk' })
  const open = compactVerifier({ algorithm, verifying: new Map([[jwk.kid, key]]) })
  return (token) => typeof token === 'string' && open(token) !== null
}
