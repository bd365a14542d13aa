import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40

/** A browser and an authenticator with one passkey (ES256), in software. It counts no uses. */
export function createAuthenticator(origin) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const coseKey = es256(publicKey.export({ format: 'jwk' }))
  let userHandle = null

  const clientData = (type, challenge) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  /** The uses are a counter of four bytes, here always zero. */
  const data = (flags, ...more) =>
    Buffer.concat([
      sha256(new URL(origin).hostname),
      Buffer.from([PRESENT | VERIFIED | flags, 0, 0, 0, 0]),
      ...more,
    ])

  const credential = (response) => ({
    ...{ id: base64url(id), rawId: base64url(id), type: 'public-key' },
    ...{ response, clientExtensionResults: {} },
  })

  return {
    /** `navigator.credentials.create()` */
    create({ challenge, user }) {
      userHandle = user.id
      const attested = data(WITH_KEY, Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey)
      return credential({
        clientDataJSON: base64url(clientData('webauthn.create', challenge)),
        attestationObject: base64url(attestationObject(attested)),
        transports: ['internal'],
      })
    },

    /** `navigator.credentials.get()` */
    get({ challenge }) {
      const authenticatorData = data(0)
      const client = clientData('webauthn.get', challenge)
      const signed = Buffer.concat([authenticatorData, sha256(client)])
      return credential({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign('sha256', signed, privateKey)),
        userHandle,
      })
    },
  }
}

/** The CBOR of {"fmt": "none", "attStmt": {}, "authData": data}. */
const attestationObject = (data) =>
  Buffer.concat([
    Buffer.from([0xa3, ...text('fmt'), ...text('none'), ...text('attStmt'), 0xa0]),
    Buffer.from([...text('authData'), 0x58, data.length]),
    data,
  ])

/** The CBOR of {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
const es256 = ({ x, y }) =>
  Buffer.concat([
    Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 32]),
    Buffer.from(y, 'base64url'),
  ])

const text = (value) => [0x60 + value.length, ...Buffer.from(value)]

const base64url = (bytes) => bytes.toString('base64url')

const sha256 = (bytes) => createHash('sha256').update(bytes).digest()
