import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { AT, BE, BS, createAuthenticator, ED, UP, UV } from '../../support/authenticator.ts'
import { type CborValue, encodeCbor } from '../../support/cbor-encoder.ts'
import type { NamedLies } from '../../support/lies.ts'
import { register } from '../../support/passkeys.ts'
import { startAuth } from '../../support/start-auth.ts'

const FAILED = { non_field_errors: ['Registration verification failed.'] }

/** Unusual, but correct. */
const variety: NamedLies = {
  'without user verification': { flags: UP | AT },
  'eligible for a backup, and backed up': { flags: UP | UV | AT | BE | BS },
  'an id of 1023 bytes': { credentialId: randomBytes(1023) },
  'a counter that has begun': { signCount: 2 ** 32 - 1 },
  'fields that nobody knows yet': { clientData: { more: { a: ['"{:', 1] } } },
  'client data that does not speak of frames': { clientData: { crossOrigin: undefined } },
  'extensions that nobody asked for': {
    flags: UP | UV | AT | ED,
    authenticatorData: (bytes) => Buffer.concat([bytes, encodeCbor(new Map([['credProtect', 2]]))]),
  },
  'no hints from the browser': {
    response: { transports: undefined },
    credential: { clientExtensionResults: undefined },
  },
}

test('what is unusual but right is accepted', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  for (const [what, lie] of Object.entries(variety)) {
    const reply = await register(request, token, createAuthenticator(), lie)
    expect.soft(reply.status, what).toBe(201)
  }
})

test.each(['ES256', 'EdDSA', 'RS256'] as const)(
  'a passkey of %s that signs for itself is accepted',
  async (algorithm) => {
    const { request, createUserWithToken } = await startAuth()
    const token = await createUserWithToken('ada')
    const authenticator = createAuthenticator({ algorithm })
    const { alg, sign } = authenticator.keys
    const reply = await register(request, token, authenticator, {
      format: 'packed',
      statement: (data) =>
        new Map<string, CborValue>([
          ['alg', alg],
          ['sig', sign(data)],
        ]),
    })
    expect(reply.status).toBe(201)
  },
)

test('a passkey that signs for itself, under the name of another algorithm, is refused', async () => {
  const { request, createUserWithToken } = await startAuth()
  const token = await createUserWithToken('ada')
  const authenticator = createAuthenticator({ algorithm: 'ES256' })
  const reply = await register(request, token, authenticator, {
    format: 'packed',
    statement: (data) =>
      new Map<string, CborValue>([
        // With the same hash, so that the signature itself is right.
        ['alg', -257],
        ['sig', authenticator.keys.sign(data)],
      ]),
  })
  expect(reply).toMatchReply(400, FAILED)
})

test('where user verification is required, a passkey without it is refused', async () => {
  const { request, createUserWithToken } = await startAuth({
    REST_AUTH: { PASSKEY_USER_VERIFICATION: 'required' },
  })
  const token = await createUserWithToken('ada')
  const reply = await register(request, token, createAuthenticator(), { flags: UP | AT })
  expect(reply).toMatchReply(400, FAILED)
  expect((await register(request, token, createAuthenticator())).status).toBe(201)
})
