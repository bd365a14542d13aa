import { expect, test } from 'vitest'
import { asCredential } from '../../../src/crypto/webauthn/credential.ts'
import { verifyAssertion } from '../../../src/crypto/webauthn/verify-assertion.ts'
import { verifyRegistration } from '../../../src/crypto/webauthn/verify-registration.ts'
import { createAuthenticator, type Lies } from '../../support/authenticator.ts'
import { type CborValue, encodeCbor } from '../../support/cbor-encoder.ts'
import { damage, seeded } from '../../support/seeded.ts'

const challenge = 'AAAA'
const expected = {
  rpId: 'localhost',
  origins: ['http://localhost:8000'],
  requireUserVerification: false,
  requireUserPresence: true,
  isChallenge: (sent: string) => sent === challenge,
}
const authenticator = createAuthenticator()

function registration(lies: Lies = {}) {
  const credential = asCredential(authenticator.create({ challenge, user: { id: 'AAAA' } }, lies))
  if (!credential) throw new Error('That is no credential.')
  return verifyRegistration(credential, expected)
}

function login(lies: Lies = {}) {
  const credential = asCredential(authenticator.get({ challenge }, lies))
  if (!credential) throw new Error('That is no credential.')
  const publicKey = new Uint8Array(encodeCbor(authenticator.keys.coseKey))
  return verifyAssertion(credential, publicKey, expected)
}

const filled = (head: string, byte: number) => () =>
  Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(32_000 - head.length / 2, byte)])

const packed = (x5c: CborValue) => ({
  format: 'packed',
  statement: () =>
    new Map<string, CborValue>([
      ['alg', -7],
      ['sig', Buffer.alloc(70)],
      ['x5c', x5c],
    ]),
})

const bombs: [string, Lies][] = [
  ['lists in lists', { attestationObject: filled('', 0x81) }],
  ['maps in maps', { attestationObject: filled('', 0xa1) }],
  ['a map of 31000 maps', { attestationObject: filled('ba00007918', 0xa0) }],
  ['a list of 31000 numbers', { attestationObject: filled('997bc0', 0x00) }],
  ['certificates of zeros', packed(Array.from({ length: 30 }, () => Buffer.alloc(1000)))],
  ['certificates in certificates', packed([Buffer.alloc(28_000, Buffer.from('3080', 'hex'))])],
  ['sequences in sequences', packed([Buffer.alloc(28_000, Buffer.from('3082', 'hex'))])],
]

// With more than linear work these inputs take minutes instead of milliseconds, and the test times out.
test.each(bombs)('refused at once, a hundred times: %s', async (_, bomb) => {
  for (let i = 0; i < 100; i++) await expect(registration(bomb)).rejects.toThrow()
})

const random = seeded(8)
const spoil = (bytes: Buffer) => damage(bytes, random)

const outcomeOf = (ceremony: Promise<unknown>) =>
  ceremony.then(
    () => 'accepted',
    (error) => (error instanceof Error ? 'refused' : 'broken'),
  )

test('broken input is refused or harmless', async () => {
  for (let i = 0; i < 500; i++) {
    expect(await outcomeOf(registration({ attestationObject: spoil }))).not.toBe('broken')
    expect(await outcomeOf(registration({ clientDataBytes: spoil }))).not.toBe('broken')
  }
})

test('a signature must be a DER sequence to the letter, though others would take it', async () => {
  const otherTag = (bytes: Buffer) => Buffer.concat([Buffer.of(0xb0), bytes.subarray(1)])
  const withRest = (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)])
  expect(await outcomeOf(login({ signature: otherTag }))).toBe('refused')
  expect(await outcomeOf(login({ signature: withRest }))).toBe('refused')
})

test('a login that was spoilt after it was signed is refused', async () => {
  expect(await outcomeOf(login())).toBe('accepted')
  for (let i = 0; i < 500; i++) {
    const spoilt = await outcomeOf(login({ signature: spoil }))
    expect(spoilt).toBe('refused')
  }
})
