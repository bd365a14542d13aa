import { fromSources } from '../from-sources.js'

const { verifyAssertion, verifyRegistration } = await fromSources({
  'crypto/webauthn/verify-assertion.ts': 'verifyAssertion',
  'crypto/webauthn/verify-registration.ts': 'verifyRegistration',
})

/** Pairs that WebAuthn allows and we refuse. `docs/passkeys.md` says why. */
const refusedByPolicy = [
  'none-es256-crossOrigin',
  'none-es256-topOrigin',
  'packed-es384',
  'packed-es512',
  'packed-ed448',
  'tpm-es256',
  'android-key-es256',
  'apple-es256',
  'fido-u2f-es256',
]

/** W3C Web Authentication Level 3: every registration and the login that belongs to it. */
export const webauthn = {
  file: 'webauthn-level3.json',

  async run({ rpId, origin, vectors }) {
    const failures = []
    for (const vector of vectors) {
      const wanted = refusedByPolicy.includes(vector.name) ? 'refused' : 'accepted'
      const reason = await reasonToRefuse(vector, { rpId, origins: [origin] })
      const got = reason ? 'refused' : 'accepted'
      if (got !== wanted) failures.push(`${vector.name}: ${got}${reason ? ` (${reason})` : ''}`)
    }
    return { checked: vectors.length, skipped: 0, failures }
  },
}

/** Null if the passkey is accepted and can log in. */
async function reasonToRefuse({ registration, authentication }, relyingParty) {
  const id = encode(registration.credential_id)
  const credential = ({ challenge, credential_id: _, ...response }) => [
    { id, rawId: id, type: 'public-key', response: mapValues(response, encode) },
    {
      ...relyingParty,
      requireUserVerification: false,
      isChallenge: (sent) => sent === encode(challenge),
    },
  ]
  try {
    const made = await verifyRegistration(...credential(registration))
    const [assertion, expected] = credential(authentication)
    await verifyAssertion(assertion, made.publicKey, expected)
    return null
  } catch (error) {
    return error.message
  }
}

const encode = (hex) => Buffer.from(hex, 'hex').toString('base64url')

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
