import { createHash, createPrivateKey, type JsonWebKey, sign } from 'node:crypto'
import type { RequestOptions } from './authenticator.ts'

/** A passkey that was registered at a Django project, with its private key. */
export type KeptPasskey = {
  credential_id: string
  user_handle: string
  rp_id: string
  origin: string
  alg: number
  private_key_jwk: JsonWebKey
  sign_count_now: number
  counts: boolean
  discoverable: boolean
  verifies_user: boolean
  backup_eligible_and_state: boolean
}

const [UP, UV, BACKUP] = [0x01, 0x04, 0x18]
const EDDSA = -8

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Buffer): string => bytes.toString('base64url')

/** What a browser sends when the passkey is used. */
export function useOf(passkey: KeptPasskey, { challenge }: RequestOptions) {
  const client = { type: 'webauthn.get', challenge, origin: passkey.origin, crossOrigin: false }
  const clientData = Buffer.from(JSON.stringify(client))
  const flags =
    UP | (passkey.verifies_user ? UV : 0) | (passkey.backup_eligible_and_state ? BACKUP : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(passkey.counts ? passkey.sign_count_now + 1 : 0)
  const data = Buffer.concat([sha256(passkey.rp_id), Buffer.from([flags]), count])
  const key = createPrivateKey({ key: passkey.private_key_jwk, format: 'jwk' })
  const algorithm = passkey.alg === EDDSA ? null : 'sha256'
  const signature = sign(algorithm, Buffer.concat([data, sha256(clientData)]), key)
  return {
    id: passkey.credential_id,
    rawId: passkey.credential_id,
    type: 'public-key',
    response: {
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(signature),
      ...(passkey.discoverable && { userHandle: passkey.user_handle }),
    },
    clientExtensionResults: {},
  }
}
