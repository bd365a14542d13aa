import { expect, test } from 'vitest'
import { AT, BE, BS, createAuthenticator, ED, UP, UV } from '../../support/authenticator.ts'
import { encodeCbor } from '../../support/cbor-encoder.ts'
import { countRows } from '../../support/dump.ts'
import { createKeyPair } from '../../support/key-pairs.ts'
import { clientDataLies, credentialLies, type NamedLies } from '../../support/lies.ts'
import { logIn, register, registered } from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

const FAILED = { non_field_errors: ['Authentication verification failed.'] }

const authenticatorDataLies: NamedLies = {
  'another relying party': { rpId: 'example.org' },
  'no user present': { flags: UV },
  'no flags at all': { flags: 0 },
  'backed up, but not eligible': { flags: UP | UV | BS },
  'eligible for a backup since lately': { flags: UP | UV | BE },
  'a credential announced': { flags: UP | UV | AT },
  'extensions announced, but none there': { flags: UP | UV | ED },
  'bombs among the extensions': {
    flags: UP | UV | ED,
    authenticatorData: (bytes) => Buffer.concat([bytes, Buffer.alloc(5000, 0x81)]),
  },
  'bytes left over': { authenticatorData: (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]) },
  'cut short': { authenticatorData: (bytes) => bytes.subarray(0, 36) },
  nothing: { authenticatorData: () => Buffer.alloc(0) },
  'no data': { response: { authenticatorData: undefined } },
  'a list for data': { response: { authenticatorData: [] } },
  '20 KB': { response: { authenticatorData: 'A'.repeat(20_000) } },
  'data of another login': {
    response: { authenticatorData: Buffer.alloc(37, 1).toString('base64url') },
  },
}

const signatureLies: NamedLies = {
  'of another key': { signature: () => createKeyPair('ES256').sign(Buffer.alloc(69)) },
  'of another length': { signature: (bytes) => bytes.subarray(0, -1) },
  'with bytes after it': { signature: (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]) },
  'that is no DER': { signature: () => Buffer.alloc(70, 0xff) },
  'with nothing but zeros': { signature: () => Buffer.from('3006020100020100', 'hex') },
  nothing: { signature: () => Buffer.alloc(0) },
  'of 2 KB': { signature: () => Buffer.alloc(2000, 1) },
  'that is not there': { response: { signature: undefined } },
  'that is a list': { response: { signature: [] } },
}

test.each([
  ['the client data', { ...clientDataLies, creation: { clientData: { type: 'webauthn.create' } } }],
  ['the credential', credentialLies],
  ['the authenticator data', authenticatorDataLies],
  ['the signature', signatureLies],
])('refused without a reason, whatever is wrong with %s', async (_, lies: NamedLies) => {
  const { request, createUserWithToken, db } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  const logins = await countRows(db, 'logins')
  for (const [what, lie] of Object.entries(lies)) {
    const reply = await logIn(request, authenticator, { lies: lie })
    expect.soft(reply, what).toMatchReply(400, FAILED)
    expect.soft(reply.cookies, what).toEqual([])
  }
  expect(await countRows(db, 'logins')).toBe(logins)
  expect((await logIn(request, authenticator)).status).toBe(200)
})

test('a credential that nobody has is refused in the same words', async () => {
  const { request } = await startAuth()
  expect(await logIn(request, createAuthenticator())).toMatchReply(400, FAILED)
})

test('extensions that nobody asked for do not matter', async () => {
  const { request, createUserWithToken } = await startAuth()
  const authenticator = await registered(request, await createUserWithToken('ada'))
  const reply = await logIn(request, authenticator, {
    lies: {
      flags: UP | UV | ED,
      authenticatorData: (bytes) =>
        Buffer.concat([bytes, encodeCbor(new Map([['example', true]]))]),
    },
  })
  expect(reply.status).toBe(200)
})

test('what a passkey said about backups holds for ever; whether there is one may change', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const authenticator = createAuthenticator()
  await register(request, token, authenticator, { flags: UP | UV | AT | BE })
  const withFlags = (flags: number) => logIn(request, authenticator, { lies: { flags } })
  expect((await withFlags(UP | UV | BE)).status).toBe(200)
  expect((await withFlags(UP | UV | BE | BS)).status).toBe(200)
  expect(await withFlags(UP | UV)).toMatchReply(400, FAILED)
})
