import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
  sign,
} from 'node:crypto'
import type { RequestOptions } from '../../../server/test/support/authenticator.ts'
import {
  type CborMap,
  type CborValue,
  encodeCbor,
} from '../../../server/test/support/cbor-encoder.ts'

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

const [UP, UV, BACKUP, ATTESTED] = [0x01, 0x04, 0x18, 0x40]
const [ES256, EDDSA] = [-7, -8]

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

type Wish = { handle: string; origin: string; isEdDsa?: boolean; isSynced?: boolean }

/** A new passkey. A synchronised one does not count its uses. */
export function newPasskey({
  handle,
  origin,
  isEdDsa = false,
  isSynced = false,
}: Wish): KeptPasskey {
  const { privateKey } = isEdDsa
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    credential_id: base64url(randomBytes(32)),
    user_handle: base64url(Buffer.from(handle)),
    rp_id: new URL(origin).hostname,
    origin,
    alg: isEdDsa ? EDDSA : ES256,
    private_key_jwk: privateKey.export({ format: 'jwk' }),
    sign_count_now: isSynced ? 0 : 3,
    counts: !isSynced,
    discoverable: true,
    verifies_user: true,
    backup_eligible_and_state: isSynced,
  }
}

/** The public key, as authenticators and the table of dj-rest-auth write it. */
export function coseOf({ alg, private_key_jwk: { x = '', y = '' } }: KeptPasskey): Buffer {
  const isEdDsa = alg === EDDSA
  const entries: [number, CborValue][] = [
    [1, isEdDsa ? 1 : 2],
    [3, alg],
    [-1, isEdDsa ? 6 : 1],
    [-2, Buffer.from(x, 'base64url')],
    ...(isEdDsa ? [] : [[-3, Buffer.from(y, 'base64url')] as [number, CborValue]]),
  ]
  return encodeCbor(new Map(entries))
}

/** What the browser sent when the passkey was made, as allauth keeps it. */
export function registrationOf(passkey: KeptPasskey): object {
  const id = Buffer.from(passkey.credential_id, 'base64url')
  const flags = UP | UV | ATTESTED | (passkey.backup_eligible_and_state ? BACKUP : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(passkey.sign_count_now)
  const length = Buffer.from([0, id.length])
  const data = Buffer.concat([
    ...[sha256(passkey.rp_id), Buffer.from([flags]), count],
    ...[Buffer.alloc(16), length, id, coseOf(passkey)],
  ])
  const attestation: CborMap = new Map<string, CborValue>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', data],
  ])
  const client = { type: 'webauthn.create', challenge: 'c', origin: passkey.origin }
  return {
    id: passkey.credential_id,
    rawId: passkey.credential_id,
    type: 'public-key',
    response: {
      clientDataJSON: base64url(Buffer.from(JSON.stringify(client))),
      attestationObject: base64url(encodeCbor(attestation)),
      transports: ['internal'],
    },
    clientExtensionResults: { credProps: { rk: true } },
  }
}
