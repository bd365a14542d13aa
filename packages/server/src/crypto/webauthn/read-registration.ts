import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { attestedCredentialId, attestedKey, flagsIn } from './authenticator-data.ts'
import { bytesOf } from './base64url.ts'
import { checkCoseKey } from './cose-key.ts'
import type { NewCredential } from './verify-registration.ts'

const ATTESTATION_MAX_BYTES = 64 * 1024

/**
 * Reads a registration that another service has accepted and kept as the browser sent it. Nothing
 * is left to verify but that the key is one that we could check a login with.
 */
export function readRegistration(attestationObject: unknown): NewCredential {
  const bytes = bytesOf(attestationObject, 'attestationObject', ATTESTATION_MAX_BYTES)
  const data: unknown = decodeAttestationObject(bytes).get('authData')
  if (!(data instanceof Uint8Array)) throw new Error('attestation has no authenticator data')
  const publicKey = attestedKey(data)
  checkCoseKey(publicKey)
  const { signCount, userVerified, backupEligible, backedUp } = flagsIn(data)
  const credentialId = Buffer.from(attestedCredentialId(data)).toString('base64url')
  return { credentialId, publicKey, signCount, userVerified, backupEligible, backedUp }
}
