import { decode, encode } from './base64-url.ts'
import type { PasskeyCreationOptions, PasskeyRequestOptions } from './contract.ts'

// New browsers have these conversions, too. Ours also work in older browsers, and with password
// managers whose credentials have no `toJSON()`.

type Listed = PasskeyRequestOptions['allowCredentials']

export const creationOptions = (options: PasskeyCreationOptions) => ({
  ...options,
  challenge: fromBase64Url(options.challenge),
  user: { ...options.user, id: fromBase64Url(options.user.id) },
  excludeCredentials: listed(options.excludeCredentials),
})

export const requestOptions = (options: Omit<PasskeyRequestOptions, 'session_id'>) => ({
  ...options,
  challenge: fromBase64Url(options.challenge),
  allowCredentials: listed(options.allowCredentials),
})

const listed = (credentials: Listed) =>
  credentials.map(({ id, ...rest }) => ({
    ...rest,
    id: fromBase64Url(id),
  })) as PublicKeyCredentialDescriptor[]

/** A credential as the service reads it, for both ceremonies. */
export function toJson(made: Credential | null): object {
  const credential = made as PublicKeyCredential
  const { id, rawId, type, authenticatorAttachment } = credential
  const response = credential.response as AuthenticatorAttestationResponse &
    AuthenticatorAssertionResponse
  return {
    id,
    rawId: toBase64Url(rawId),
    type,
    authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      attestationObject: toBase64Url(response.attestationObject),
      transports: response.getTransports?.(),
      authenticatorData: toBase64Url(response.authenticatorData),
      signature: toBase64Url(response.signature),
      userHandle: toBase64Url(response.userHandle),
    },
  }
}

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(decode(text), (character) => character.charCodeAt(0))

/** Missing parts are left out of the JSON: the two ceremonies have different ones. */
const toBase64Url = (bytes: ArrayBuffer | null | undefined): string | undefined =>
  bytes ? encode(bytes) : undefined
