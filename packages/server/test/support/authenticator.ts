import { createHash, randomBytes } from 'node:crypto'
import { type CborMap, encodeCbor } from './cbor-encoder.ts'
import { type Algorithm, createKeyPair } from './key-pairs.ts'

/** Bits of the flags in authenticator data. */
export const UP = 0x01
export const UV = 0x04
export const BE = 0x08
export const BS = 0x10
export const AT = 0x40
export const ED = 0x80

export type CreationOptions = { challenge: string; user: { id: string } }
export type RequestOptions = { challenge: string; session_id: string }

type Bytes = (bytes: Buffer) => Buffer

/** Everything that an authenticator, or an attacker between it and us, can get wrong. */
export type Lies = {
  clientData?: Record<string, unknown>
  clientDataBytes?: Bytes
  rpId?: string
  flags?: number
  signCount?: number
  credentialId?: Buffer
  coseKey?: (key: CborMap) => CborMap
  authenticatorData?: Bytes
  format?: string
  statement?: (data: Buffer) => CborMap
  attestationObject?: Bytes
  signature?: Bytes
  response?: Record<string, unknown>
  credential?: Record<string, unknown>
}

type Options = { algorithm?: Algorithm; origin?: string; rpId?: string; idBytes?: number }

export type Authenticator = ReturnType<typeof createAuthenticator>

/** A browser and an authenticator with one passkey, in software. It lies where the test wants it. */
export function createAuthenticator({
  algorithm = 'ES256',
  origin = 'http://localhost:8000',
  rpId = 'localhost',
  idBytes = 32,
}: Options = {}) {
  const keys = createKeyPair(algorithm)
  const id = randomBytes(idBytes)
  let userHandle: string | null = null
  let signCount = 0

  function clientDataFor(type: string, challenge: string, lies: Lies): Buffer {
    const data = { type, challenge, origin, crossOrigin: false, ...lies.clientData }
    const bytes = Buffer.from(JSON.stringify(data))
    return lies.clientDataBytes?.(bytes) ?? bytes
  }

  function authenticatorData(flags: number, rest: Buffer[], lies: Lies): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(lies.signCount ?? signCount)
    const fixed = [
      sha256(Buffer.from(lies.rpId ?? rpId)),
      Buffer.from([lies.flags ?? flags]),
      count,
    ]
    const bytes = Buffer.concat([...fixed, ...rest])
    return lies.authenticatorData?.(bytes) ?? bytes
  }

  const credential = (response: Record<string, unknown>, lies: Lies) => ({
    id: base64url(lies.credentialId ?? id),
    rawId: base64url(lies.credentialId ?? id),
    type: 'public-key',
    response: { ...response, ...lies.response },
    clientExtensionResults: {},
    ...lies.credential,
  })

  return {
    id: base64url(id),
    keys,

    /** `navigator.credentials.create()` */
    create({ challenge, user }: CreationOptions, lies: Lies = {}) {
      userHandle = user.id
      const credentialId = lies.credentialId ?? id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const key = lies.coseKey?.(new Map(keys.coseKey)) ?? keys.coseKey
      const attested = [Buffer.alloc(16), length, credentialId, encodeCbor(key)]
      const data = authenticatorData(UP | UV | AT, attested, lies)
      const clientData = clientDataFor('webauthn.create', challenge, lies)
      const attestation = encodeCbor(
        new Map<string, CborMap | string | Buffer>([
          ['fmt', lies.format ?? 'none'],
          ['attStmt', lies.statement?.(Buffer.concat([data, sha256(clientData)])) ?? new Map()],
          ['authData', data],
        ]),
      )
      const response = {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(lies.attestationObject?.(attestation) ?? attestation),
        transports: ['internal', 'hybrid'],
      }
      return credential(response, lies)
    },

    /** `navigator.credentials.get()`. It counts its uses, which most authenticators do not. */
    get({ challenge }: Pick<RequestOptions, 'challenge'>, lies: Lies = {}) {
      signCount += 1
      const data = authenticatorData(UP | UV, [], lies)
      const clientData = clientDataFor('webauthn.get', challenge, lies)
      const signature = keys.sign(Buffer.concat([data, sha256(clientData)]))
      const response = {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(lies.signature?.(signature) ?? signature),
        userHandle,
      }
      return credential(response, lies)
    },
  }
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url')

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
