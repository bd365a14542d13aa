import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { type Handler, sendJson, startLoopbackServer } from '../support/loopback-server.ts'
import { codeOf, NOW, newSigner, newVerifier, SECRET } from './support.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const PATH = '/auth/.well-known/jwks.json'

type Signer = ReturnType<typeof newSigner>

/** A service that publishes the keys of these signers, and one that checks its tokens. */
async function start(...published: Signer[]) {
  return startWith({}, published)
}

async function startWith(needs: { timeoutMs?: number }, published: Signer[]) {
  let now = NOW
  let answer: Handler = (_, response) =>
    sendJson(response, { keys: published.flatMap(({ jwks }) => jwks.keys) })
  const server = await startLoopbackServer((heard, response) => answer(heard, response))
  const verify = newVerifier(
    { jwksUrl: `${server.url}${PATH}` },
    {},
    { ...needs, clock: { now: () => now } },
  )
  return {
    verify,
    published,
    fetches: () => server.count(PATH),
    close: server.close,
    wait: (ms: number) => {
      now += ms
    },
    answerWith: (handler: Handler) => {
      answer = handler
    },
  }
}

test('keys are fetched when the first token comes, once for all callers', async () => {
  const signer = newSigner('ES256')
  const { verify, fetches } = await start(signer)
  expect(fetches()).toBe(0)
  const tokens = Array.from({ length: 50 }, () => signer.access())
  const all = await Promise.all(tokens.map(verify))
  expect(new Set(all.map(({ jti }) => jti)).size).toBe(50)
  expect(fetches()).toBe(1)
})

test.each(['RS512', 'ES256', 'ES512', 'EdDSA'] as const)(
  'a published key of %s says its algorithm',
  async (name) => {
    const signer = newSigner(name)
    const { verify } = await start(signer)
    expect(await verify(signer.access())).toMatchObject({ user_id: '1' })
    expect(await codeOf(verify(newSigner(name).access()))).toBe('unknown_key')
  },
)

test('a new key is found by its name, and a flood of unknown ones fetches once', async () => {
  const [present, next] = [newSigner('ES256'), newSigner('EdDSA')]
  const { verify, published, fetches, wait } = await start(present)
  await verify(present.access())
  published.push(next)
  expect(await verify(next.access())).toMatchObject({ user_id: '1' })
  expect(fetches()).toBe(2)

  const stranger = newSigner('ES256')
  const flood = Array.from({ length: 50 }, () => codeOf(verify(stranger.access())))
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['unknown_key']))
  expect(fetches()).toBe(2)
  wait(10_000)
  expect(await codeOf(verify(stranger.access()))).toBe('unknown_key')
  expect(await codeOf(verify(stranger.access()))).toBe('unknown_key')
  expect(fetches()).toBe(3)
  expect(await verify(present.access())).toMatchObject({ user_id: '1' })
})

test('a key that is no longer published is refused ten minutes later', async () => {
  const [former, present] = [newSigner('ES256'), newSigner('ES256')]
  const { verify, published, wait, fetches } = await start(former, present)
  const token = former.access()
  await verify(token)
  published.shift()
  wait(4 * MINUTE)
  expect(await verify(token)).toMatchObject({ user_id: '1' })
  expect(fetches()).toBe(1)
  wait(6 * MINUTE)
  expect(await codeOf(verify(token))).toBe('unknown_key')
})

test('the last key, too, and an answer that is no list of keys counts as an outage', async () => {
  const signer = newSigner('ES256')
  const { verify, wait, answerWith } = await start(signer)
  const token = signer.access()
  await verify(token)
  answerWith((_, response) => sendJson(response, {}))
  wait(10 * MINUTE)
  // The token itself has expired: its signature was checked before.
  expect(await codeOf(verify(token))).toBe('expired')
  answerWith((_, response) => sendJson(response, { keys: [] }))
  wait(10 * MINUTE)
  expect(await codeOf(verify(token))).toBe('keys_unavailable')
})

test('the last keys outlive an outage, but not for ever', async () => {
  const signer = newSigner('ES256')
  const { verify, wait, close, fetches } = await start(signer)
  await verify(signer.access())
  await close()
  wait(10 * MINUTE)
  // The token itself has expired: its signature was checked before.
  expect(await codeOf(verify(signer.access()))).toBe('expired')
  wait(24 * HOUR)
  expect(await codeOf(verify(signer.access()))).toBe('keys_unavailable')
  expect(fetches()).toBe(1)
})

const endless = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write(`{"keys":[],"x":"${'x'.repeat(70_000)}`)
}

test.each<[string, Handler]>([
  ['an error', (_, response) => sendJson(response, {}, 500)],
  [
    'a redirect',
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  ],
  ['no JSON', (_, response) => response.end('<html>')],
  ['a list', (_, response) => sendJson(response, [])],
  ['null', (_, response) => sendJson(response, null)],
  ['no keys', (_, response) => sendJson(response, { keys: [] })],
  [
    'keys that are none',
    (_, response) => sendJson(response, { keys: [null, 1, {}, { kty: 'EC' }] }),
  ],
  ['a secret', (_, response) => sendJson(response, { keys: [secretJwk] })],
  ['a private key only', (_, response) => sendJson(response, { keys: [privateJwk] })],
  ['too much', (_, response) => endless(response)],
  ['nothing, and hangs up', (_, response) => response.destroy()],
])('if the answer is %s, the keys are not available, and soon nobody asks', async (_, handler) => {
  const signer = newSigner('ES256')
  const { verify, answerWith, fetches, wait } = await start(signer)
  answerWith(handler)
  for (let count = 0; count < 10; count++) {
    const error = await verify(signer.access()).catch((error) => error)
    expect(error).toMatchObject({ name: 'TokenRefused', code: 'keys_unavailable', status: 503 })
    expect(error.cause).toBeInstanceOf(Error)
  }
  expect(fetches()).toBe(5)
  wait(10_000)
  answerWith((_, response) => sendJson(response, signer.jwks))
  expect(await verify(signer.access())).toMatchObject({ user_id: '1' })
})

const secretJwk = { kty: 'oct', k: Buffer.from(SECRET).toString('base64url'), alg: 'HS256' }
const privateJwk = { ...newSigner('EdDSA').jwks.keys[0], d: 'AA' }

test('a published secret is no key, and keys for other purposes are left alone', async () => {
  const [signer, encrypting] = [newSigner('ES256'), newSigner('ES256')]
  const { verify, answerWith } = await start(signer)
  const [other] = encrypting.jwks.keys
  const keys = [secretJwk, { ...other, use: 'enc' }, { kty: 'new' }, ...signer.jwks.keys]
  answerWith((_, response) => sendJson(response, { keys }))
  expect(await verify(signer.access())).toMatchObject({ user_id: '1' })
  expect(await codeOf(verify(newSigner('HS256').access()))).toBe('unknown_key')
  expect(await codeOf(verify(encrypting.access()))).toBe('unknown_key')
})

test('while new keys are on their way, known ones count', async () => {
  const signer = newSigner('ES256')
  const { verify, answerWith } = await start(signer)
  await verify(signer.access())
  let waiting = Promise.resolve('')
  const response = await new Promise<ServerResponse>((ask) => {
    answerWith((_, response) => ask(response))
    waiting = codeOf(verify(newSigner('ES256').access()))
  })
  expect(await verify(signer.access())).toMatchObject({ user_id: '1' })
  sendJson(response, signer.jwks)
  expect(await waiting).toBe('unknown_key')
})

test('an answer that does not come is given up', async () => {
  const signer = newSigner('ES256')
  const { verify, answerWith } = await startWith({ timeoutMs: 50 }, [signer])
  answerWith(() => {})
  expect(await codeOf(verify(signer.access()))).toBe('keys_unavailable')
})
