import { generateKeyPairSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { KEY, UNAVAILABLE } from '../../support/answers.ts'
import { newKey } from '../../support/hostile-provider.ts'
import { startWithIdTokens as start } from '../../support/id-tokens.ts'

const INCORRECT = { non_field_errors: ['Incorrect value'] }
const MINUTE = 60_000

test('new keys are found, and unknown ones ask for them at most once a minute', async () => {
  const { request, token, idp, clock } = await start()
  await request.post('idp/', { id_token: await token() })
  expect(idp.count('/keys')).toBe(1)

  const second = await newKey('second')
  idp.answer('/keys', { keys: [second.jwk] })
  const rotated = await token({}, { key: second })
  expect(await request.post('idp/', { id_token: rotated })).toMatchReply(200, KEY)
  expect(idp.count('/keys')).toBe(2)

  const third = await newKey('third')
  for (let tries = 0; tries < 5; tries++) {
    const unknown = await token({}, { key: third })
    expect(await request.post('idp/', { id_token: unknown })).toMatchReply(400, INCORRECT)
  }
  expect(idp.count('/keys')).toBe(2)
  clock.advance(MINUTE)
  const later = await token({}, { key: third })
  expect(await request.post('idp/', { id_token: later })).toMatchReply(400, INCORRECT)
  expect(idp.count('/keys')).toBe(3)
})

test.each([
  ['has the name of the old one', { kid: 'first' }],
  ['has no name, as the old one', { kid: undefined }],
])(
  'a new key that %s is found, and bad signatures ask for it at most once a minute',
  async (_, { kid }) => {
    const { request, token, idp, clock } = await start()
    const [next, stranger] = await Promise.all([newKey('first'), newKey('first')])
    const publish = ({ jwk }: typeof next) => idp.answer('/keys', { keys: [{ ...jwk, kid }] })
    // A header that is undefined is left out.
    const header = { kid } as { kid: string }
    const logIn = async (key: typeof next) =>
      request.post('idp/', { id_token: await token({}, { key, header }) })
    publish(idp.key)
    expect(await logIn(idp.key)).toMatchReply(200, KEY)
    publish(next)
    expect(await logIn(next)).toMatchReply(200, KEY)
    expect(idp.count('/keys')).toBe(2)
    for (let tries = 0; tries < 5; tries++) {
      expect(await logIn(stranger)).toMatchReply(400, INCORRECT)
    }
    expect(idp.count('/keys')).toBe(2)
    clock.advance(MINUTE)
    expect(await logIn(stranger)).toMatchReply(400, INCORRECT)
    expect(idp.count('/keys')).toBe(3)
  },
)

test('after keys could not be loaded, the next token asks again', async () => {
  const { request, token, idp } = await start()
  await request.post('idp/', { id_token: await token() })
  const second = await newKey('second')
  const logIn = async () => request.post('idp/', { id_token: await token({}, { key: second }) })
  idp.answer('/keys', (response: ServerResponse) => response.writeHead(502).end())
  expect(await logIn()).toMatchReply(503, UNAVAILABLE)
  expect(await logIn()).toMatchReply(503, UNAVAILABLE)
  idp.answer('/keys', { keys: [second.jwk] })
  expect(await logIn()).toMatchReply(200, KEY)
})

test('a weak key beside the right one does no harm', async () => {
  const { request, token, idp } = await start()
  const [key, next] = await Promise.all([newKey('rsa', 'RS256'), newKey('rsa', 'RS256')])
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({
    format: 'jwk',
  })
  const publish = (...keys: object[]) =>
    idp.answer('/keys', { keys: keys.map((one) => ({ ...one, kid: 'rsa', use: 'sig' })) })
  const logIn = async (signer: typeof key) =>
    request.post('idp/', { id_token: await token({}, { key: signer }) })
  publish(weak, key.jwk, weak)
  expect(await logIn(key)).toMatchReply(200, KEY)
  // A new key is still looked for.
  publish(next.jwk)
  expect(await logIn(next)).toMatchReply(200, KEY)
})

test('of a poisoned set of keys only those that fit are used, and not too many', async () => {
  const { request, token, idp } = await start()
  const [rsa, small] = await Promise.all([newKey('rsa', 'RS256'), newKey('first', 'ES384')])
  const shared = {
    kty: 'oct',
    kid: 'first',
    alg: 'HS256',
    k: Buffer.alloc(32).toString('base64url'),
  }
  const decoys = [null, 7, 'key', [], { kty: 'RSA' }, shared, small.jwk, { ...rsa.jwk, use: 'enc' }]
  idp.answer('/keys', { keys: [...decoys, { ...idp.key.jwk }, { ...idp.key.jwk }] })
  expect(await request.post('idp/', { id_token: await token() })).toMatchReply(200, KEY)

  const tooMany = await start()
  const junk = Array.from({ length: 2000 }, (_, i) => ({ ...rsa.jwk, kid: `junk-${i}`, n: 'AQAB' }))
  tooMany.idp.answer('/keys', { keys: [...junk, tooMany.idp.key.jwk] })
  const reply = await tooMany.request.post('idp/', { id_token: await tooMany.token() })
  expect(reply).toMatchReply(400, INCORRECT)
})
