import { generateKeyPairSync } from 'node:crypto'
import type { AdoptedPasskeys } from '../features/passkeys/adopt-passkeys.ts'
import { randomBuffer } from '../kernel/random.ts'

/** A passkey as the virtual authenticator of a browser takes it. All texts are in base64url. */
export type VirtualPasskey = {
  readonly id: string
  readonly rpId: string
  readonly userHandle: string
  /** PKCS #8. */
  readonly privateKey: string
  /** SubjectPublicKeyInfo. */
  readonly publicKey: string
  readonly signCount: number
}

/** Makes a passkey: the half of the authenticator, and the half of the service. */
export function newPasskey(rpId: string, createdAt: number) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const [id, handle] = [base64url(randomBuffer(32)), base64url(randomBuffer(64))]
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const virtual: VirtualPasskey = {
    id,
    rpId,
    userHandle: handle,
    privateKey: base64url(privateKey.export({ format: 'der', type: 'pkcs8' })),
    publicKey: base64url(publicKey.export({ format: 'der', type: 'spki' })),
    signCount: 0,
  }
  const adopted: AdoptedPasskeys = {
    handle,
    passkeys: [
      {
        // No row can have this id, so the passkey gets the next free one.
        id: Number.MAX_SAFE_INTEGER,
        name: 'Virtual passkey',
        credential: {
          credentialId: id,
          publicKey: cose(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')),
          signCount: 0,
          userVerified: true,
          backupEligible: false,
          backedUp: false,
        },
        isBackupKnown: true,
        isDiscoverable: true,
        transports: ['internal'],
        createdAt,
        lastUsedAt: null,
      },
    ],
  }
  return { virtual, adopted }
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url')

/** The CBOR of an ES256 key: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
const cose = (x: Buffer, y: Buffer): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...[0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32], ...x, 0x22, 0x58, 32, ...y])
