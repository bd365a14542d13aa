import { type RegistrationResponseJSON, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { attestedCredentialId, attestedKey, flagsIn } from './authenticator-data.ts'
import { endOfItem } from './cbor.ts'
import { bytesOf, checkClientData, type Expected, verifierOptions } from './ceremony.ts'
import { checkCoseKey } from './cose-key.ts'
import { type Credential, offeredAlgorithms } from './credential.ts'
import type { Assertion } from './verify-assertion.ts'

/**
 * A public key whose owner has proved that they hold the private key, and what the authenticator
 * said about itself.
 */
export type NewCredential = Assertion & {
  credentialId: string
  /** In COSE form. */
  publicKey: Uint8Array<ArrayBuffer>
}

const ATTESTATION_MAX_BYTES = 32 * 1024

/**
 * We request no attestation. Browsers then send none, or a self-signed one: it must be correct,
 * but proves nothing. Other formats contain certificates that we would have to look up elsewhere,
 * and no client may make the service send requests.
 */
const acceptedFormats = ['none', 'packed']

/**
 * False if the page asked the browser to create a passkey without the user
 * (`mediation: 'conditional'`). Authenticators then report that nobody was present.
 */
type Presence = { requireUserPresence: boolean }

/** WebAuthn Level 3, section 7.1. Throws if anything does not match; the reason is for the log. */
export async function verifyRegistration(
  credential: Credential,
  expected: Expected & Presence,
): Promise<NewCredential> {
  checkClientData(credential.response.clientDataJSON)
  const data = checkedData(credential.response.attestationObject)

  const { verified, registrationInfo: info } = await verifyRegistrationResponse({
    ...verifierOptions(expected),
    requireUserPresence: expected.requireUserPresence,
    response: credential as unknown as RegistrationResponseJSON,
    supportedAlgorithmIDs: [...offeredAlgorithms],
  })
  if (!verified || !info) throw new Error('the attestation statement does not verify')
  if (info.credential.id !== credential.rawId) throw new Error('two different credential ids')

  const { id: credentialId, publicKey } = info.credential
  return { ...flagsIn(data), credentialId, publicKey }
}

/** Checks the attestation, and returns the authenticator data in it. */
function checkedData(encoded: unknown): Uint8Array {
  const bytes = bytesOf(encoded, 'attestationObject', ATTESTATION_MAX_BYTES)
  if (endOfItem(bytes, 0) !== bytes.length) throw new Error('attestation has bytes left over')
  const attestation: unknown = decodeAttestationObject(bytes)
  if (!(attestation instanceof Map)) throw new Error('attestation is not a map')

  const [format, data, statement] = ['fmt', 'authData', 'attStmt'].map((k) => attestation.get(k))
  if (!acceptedFormats.includes(format)) throw new Error('attestation of a format we do not take')
  if (!(statement instanceof Map)) throw new Error('attestation statement is not a map')
  if (!(data instanceof Uint8Array)) throw new Error('attestation has no authenticator data')

  const algorithm = checkCoseKey(attestedKey(data))
  const isSelfSigned = format === 'packed' && !statement.has('x5c')
  if (isSelfSigned && statement.get('alg') !== algorithm) {
    throw new Error('attestation is signed by another algorithm than the key')
  }
  return data
}

const STORED_MAX_BYTES = 64 * 1024

/**
 * Reads a registration that another service has accepted and stored as the browser sent it. Only
 * checks that we can verify logins with its key.
 */
export function readRegistration(attestationObject: unknown): NewCredential {
  const bytes = bytesOf(attestationObject, 'attestationObject', STORED_MAX_BYTES)
  const data: unknown = decodeAttestationObject(bytes).get('authData')
  if (!(data instanceof Uint8Array)) throw new Error('attestation has no authenticator data')
  const publicKey = attestedKey(data)
  checkCoseKey(publicKey)
  const credentialId = Buffer.from(attestedCredentialId(data)).toString('base64url')
  return { ...flagsIn(data), credentialId, publicKey }
}
