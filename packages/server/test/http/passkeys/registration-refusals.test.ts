import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { AT, BS, createAuthenticator, ED, UP, UV } from '../../support/authenticator.ts'
import { type CborMap, type CborValue, encodeCbor } from '../../support/cbor-encoder.ts'
import { countRows } from '../../support/dump.ts'
import { createKeyPair } from '../../support/key-pairs.ts'
import { clientDataLies, credentialLies, type NamedLies } from '../../support/lies.ts'
import { register } from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

const FAILED = { non_field_errors: ['Registration verification failed.'] }

const map = (members: Record<string, CborValue>): CborMap => new Map(Object.entries(members))

const plus = (bytes: Buffer, hex: string) => Buffer.concat([bytes, Buffer.from(hex, 'hex')])

/** Lists nested to this depth. */
const nested = (depth: number) => Buffer.concat([Buffer.alloc(depth, 0x81), Buffer.from([0])])

const authenticatorDataLies: NamedLies = {
  'another relying party': { rpId: 'example.org' },
  'no user present': { flags: UV | AT },
  'backed up, but not eligible': { flags: UP | UV | AT | BS },
  'no credential': { flags: UP | UV },
  'extensions announced, but none there': { flags: UP | UV | AT | ED },
  'bombs among the extensions': {
    flags: UP | UV | AT | ED,
    authenticatorData: (bytes) => Buffer.concat([bytes, nested(10_000)]),
  },
  'an id of 1024 bytes': { credentialId: randomBytes(1024) },
  'an empty id': { credentialId: Buffer.alloc(0) },
  'an id longer than the data': { authenticatorData: (bytes) => bytes.subarray(0, 60) },
  'bytes left over': { authenticatorData: (bytes) => plus(bytes, '00') },
  'cut short': { authenticatorData: (bytes) => bytes.subarray(0, 36) },
  'a key cut short': { authenticatorData: (bytes) => bytes.subarray(0, -1) },
}

const rsaKey = (modulus: Buffer, exponent: number[]): CborMap =>
  new Map<number, CborValue>([
    [1, 3],
    [3, -257],
    [-1, modulus],
    [-2, Buffer.from(exponent)],
  ])
const { n = '' } = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({
  format: 'jwk',
})
const shortModulus = Buffer.from(n, 'base64url')
const offTheCurve = Buffer.alloc(32, 1)

const keyLies: NamedLies = {
  ES384: { coseKey: (key) => key.set(3, -35) },
  RS1: { coseKey: (key) => key.set(3, -65535) },
  'an algorithm of another key type': { coseKey: (key) => key.set(3, -8) },
  'a text for an algorithm': { coseKey: (key) => key.set(3, 'ES256') },
  'no algorithm': { coseKey: (key) => omit(key, 3) },
  'another key type': { coseKey: (key) => key.set(1, 1) },
  'another curve': { coseKey: (key) => key.set(-1, 2) },
  'a compressed point': { coseKey: (key) => key.set(-3, true) },
  'a point off the curve': { coseKey: (key) => key.set(-2, offTheCurve) },
  'a short coordinate': { coseKey: (key) => key.set(-2, Buffer.alloc(31, 1)) },
  'no y': { coseKey: (key) => omit(key, -3) },
  'a member too many': { coseKey: (key) => key.set(2, Buffer.from('kid')) },
  'no member': { coseKey: () => new Map() },
  'a short RSA key': { coseKey: () => rsaKey(shortModulus, [1, 0, 1]) },
  'a short RSA key with zeros before it': {
    coseKey: () => rsaKey(Buffer.concat([Buffer.alloc(128), shortModulus]), [1, 0, 1]),
  },
  'a huge RSA key': { coseKey: () => rsaKey(Buffer.alloc(2048, 0xff), [1, 0, 1]) },
  'an odd RSA exponent': { coseKey: () => rsaKey(Buffer.alloc(256, 0xff), [1, 0, 3]) },
}

function omit(key: CborMap, label: number): CborMap {
  key.delete(label)
  return key
}

const packed = (members: Record<string, CborValue>) => ({
  format: 'packed',
  statement: () => map({ alg: -7, sig: Buffer.alloc(70), ...members }),
})

const attestationLies: NamedLies = {
  'an unknown format': { format: 'my-own' },
  'a format that we would have to look up': { format: 'android-key' },
  'a statement where there is none': { statement: () => map({ sig: Buffer.alloc(8) }) },
  'packed without a statement': { format: 'packed' },
  'packed with an empty chain': packed({ x5c: [] }),
  'packed with garbage for a chain': packed({ x5c: [randomBytes(900)] }),
  'packed with texts for a chain': packed({ x5c: ['x'] }),
  'packed, signed by another key': {
    format: 'packed',
    statement: (data) => map({ alg: -7, sig: createKeyPair('ES256').sign(data) }),
  },
  'fido-u2f with garbage': { format: 'fido-u2f', statement: () => map({ sig: randomBytes(70) }) },
  'tpm with garbage': { format: 'tpm', statement: () => map({ ver: '2.0' }) },
  'bytes after it': { attestationObject: (bytes) => plus(bytes, '00') },
  'no map': { attestationObject: () => encodeCbor([1]) },
  nothing: { attestationObject: () => Buffer.alloc(0) },
  'no data': { attestationObject: () => encodeCbor(map({ fmt: 'none', attStmt: new Map() })) },
  'a list for data': {
    attestationObject: () => encodeCbor(map({ fmt: 'none', attStmt: new Map(), authData: [] })),
  },
  'an indefinite length': { attestationObject: () => Buffer.from('bfff', 'hex') },
  '2^64 items': { attestationObject: () => Buffer.from('9bffffffffffffffff00', 'hex') },
  'a map of 2^32': {
    attestationObject: () => plus(Buffer.from('baffffffff', 'hex'), 'a0'.repeat(20_000)),
  },
  '10000 lists in each other': { attestationObject: () => nested(10_000) },
  '20000 tags in each other': { attestationObject: () => plus(Buffer.alloc(20_000, 0xc1), '00') },
  'a key twice': {
    attestationObject: (bytes) =>
      Buffer.concat([
        Buffer.from([0xa4]),
        bytes.subarray(1),
        encodeCbor('fmt'),
        encodeCbor('none'),
      ]),
  },
  padding: { response: { attestationObject: 'oA==' } },
  'another alphabet': { response: { attestationObject: '++//' } },
  'no attestation': { response: { attestationObject: undefined } },
  '40 KB': { response: { attestationObject: 'A'.repeat(44_000) } },
}

test.each([
  ['the client data', { ...clientDataLies, 'a login': { clientData: { type: 'webauthn.get' } } }],
  ['the credential', credentialLies],
  ['the authenticator data', authenticatorDataLies],
  ['the key', keyLies],
  ['the attestation', attestationLies],
])('refused without a reason, whatever is wrong with %s', async (_, lies: NamedLies) => {
  const { request, createUserWithToken, db } = await startAuth()
  const token = await createUserWithToken('ada')
  for (const [what, lie] of Object.entries(lies)) {
    const reply = await register(request, token, createAuthenticator(), lie)
    expect.soft(reply, what).toMatchReply(400, FAILED)
  }
  expect(await countRows(db, 'passkeys')).toBe(0)
  expect(await countRows(db, 'outbox')).toBe(0)
  expect(await countRows(db, 'audit_events')).toBe(0)
})
