import {
  type AuthenticationResponseJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { checkAssertedData, flagsIn } from './authenticator-data.ts'
import { bytesOf, checkClientData, type Expected, verifierOptions } from './ceremony.ts'
import { algorithmOf } from './cose-key.ts'
import { type Credential, ES256 } from './credential.ts'

/** What an authenticator signed, apart from the challenge. */
export type Assertion = ReturnType<typeof flagsIn>

const DATA_MAX_BYTES = 8192
const SIGNATURE_MAX_BYTES = 1024
const DER_SEQUENCE = 0x30

/**
 * WebAuthn Level 3, section 7.2: all steps that need no stored data but the public key. Throws if
 * anything does not match; the reason is for the log.
 */
export async function verifyAssertion(
  credential: Credential,
  publicKey: Uint8Array<ArrayBuffer>,
  expected: Expected,
): Promise<Assertion> {
  const { clientDataJSON, authenticatorData, signature } = credential.response
  checkClientData(clientDataJSON)
  const data = bytesOf(authenticatorData, 'authenticatorData', DATA_MAX_BYTES)
  checkAssertedData(data)
  checkSignature(bytesOf(signature, 'signature', SIGNATURE_MAX_BYTES), publicKey)

  const { verified } = await verifyAuthenticationResponse({
    ...verifierOptions(expected),
    response: credential as unknown as AuthenticationResponseJSON,
    // The database compares and updates the counter in one statement. A check here could race with
    // a parallel login.
    credential: { id: credential.id, publicKey, counter: 0 },
  })
  if (!verified) throw new Error('the signature does not verify')
  return flagsIn(data)
}

/** The library would accept an ECDSA signature with another tag or with extra bytes at the end. */
function checkSignature(signature: Uint8Array, publicKey: Uint8Array<ArrayBuffer>): void {
  if (algorithmOf(publicKey) !== ES256) return
  const [tag, length] = signature
  if (tag === DER_SEQUENCE && length === signature.length - 2) return
  throw new Error('the signature is not one DER sequence')
}
