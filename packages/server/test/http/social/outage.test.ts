import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { UNAVAILABLE } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { startHostileProvider } from '../../support/hostile-provider.ts'
import { startLoopbackServer } from '../../support/loopback-server.ts'
import { PASSWORD, startAuth } from '../../support/start-auth.ts'

const DISCOVERY = '/.well-known/openid-configuration'

async function start(more: Record<string, unknown> = {}) {
  const idp = await startHostileProvider()
  const auth = await startAuth(idp.settings(more))
  idp.knowAccessToken('of-ada', { sub: 'ada' })
  return { ...auth, idp, logIn: () => auth.request.post('idp/', { access_token: 'of-ada' }) }
}

const plain =
  (status: number, body: string, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)

const troubles: [string, (response: ServerResponse) => void][] = [
  ['500', plain(500, '{}')],
  ['502 and a page', plain(502, '<html>')],
  ['429', plain(429, '{}')],
  ['200 and a page', plain(200, '<html>')],
  ['200 and nothing', plain(200, '')],
  ['a redirect', plain(302, '{}', { location: 'http://169.254.169.254/' })],
  ['a hang-up', (response) => response.destroy()],
  [
    'half an answer',
    (response) => response.writeHead(200).write('{"a":', () => response.destroy()),
  ],
  ['more than a megabyte', plain(200, JSON.stringify({ sub: 'ada', x: 'x'.repeat(1024 * 1024) }))],
  ['zipped data', plain(200, 'x', { 'content-encoding': 'gzip' })],
]

test.each(troubles)(
  'a provider that answers %s is unavailable, and no more',
  async (_, trouble) => {
    const { idp, logIn, request, db } = await start()
    for (const path of [DISCOVERY, '/introspection', '/userinfo']) {
      const before = idp.count(path)
      const { answered } = idp
      const kept = answered(path)
      idp.answer(path, trouble)
      const reply = await logIn()
      expect(reply).toMatchReply(503, UNAVAILABLE)
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(idp.count(path)).toBe(before + 1)
      idp.answer(path, kept)
    }
    idp.answer('/token', trouble)
    expect(await request.post('idp/', { code: 'x' })).toMatchReply(503, UNAVAILABLE)
    expect(await countRows(db, 'users')).toBe(0)
    expect((await logIn()).status).toBe(200)
  },
)

test('a provider that never ends its answer is given up after five seconds', async () => {
  const { idp, logIn, request, createUser } = await start()
  await createUser({ username: 'ada' })
  await logIn()
  const fiveSeconds = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(fiveSeconds.signal)
  onTestFinished(() => timeout.mockRestore())
  const asked = new Promise<void>((resolve) => {
    idp.answer('/userinfo', (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"sub": ')
      resolve()
    })
  })
  const waiting = logIn()
  await asked
  // Other requests do not wait meanwhile.
  const other = await request.post('login/', { username: 'ada', password: PASSWORD })
  expect(other.status).toBe(200)
  fiveSeconds.abort()
  expect(await waiting).toMatchReply(503, UNAVAILABLE)
  expect(new Set(timeout.mock.calls.flat())).toEqual(new Set([5000]))
})

test('a provider that is gone is not waited for again and again', async () => {
  const { idp, logIn, clock } = await start()
  await logIn()
  await idp.close()
  for (let tries = 0; tries < 5; tries++) expect(await logIn()).toMatchReply(503, UNAVAILABLE)
  const paused = await logIn()
  expect(paused).toMatchReply(503, UNAVAILABLE)
  expect(paused.headers['retry-after']).toBe('10')
  clock.advance(10_000)
  expect((await logIn()).headers['retry-after']).toBe('5')
})

test('one provider in trouble does not touch another', async () => {
  const [good, bad] = [await startHostileProvider(), await startHostileProvider()]
  const app = (provider_id: string, server_url: string) => ({
    provider_id,
    client_id: 'the-client',
    secret: 's',
    settings: { server_url },
  })
  const APPS = [app('good', good.url), app('bad', bad.url)]
  const { request, clock } = await startAuth({
    SOCIALACCOUNT: { PROVIDERS: { openid_connect: { APPS } } },
  })
  await bad.close()
  for (let tries = 0; tries < 8; tries++) {
    expect((await request.post('bad/', { access_token: 'x' })).status).toBe(503)
  }
  const id_token = await good.idToken(clock)
  expect((await request.post('good/', { id_token })).status).toBe(200)
  // The other provider refuses its tokens.
  const foreign = await good.idToken(clock)
  expect((await request.post('bad/', { id_token: foreign })).status).toBe(503)
})

test('a token of one issuer is refused at another', async () => {
  const [one, two] = [await startHostileProvider(), await startHostileProvider()]
  const { request, clock } = await startAuth(one.settings())
  const id_token = await two.idToken(clock)
  const forged = await two.idToken(clock, { iss: one.url })
  for (const token of [id_token, forged]) {
    const reply = await request.post('idp/', { id_token: token })
    expect(reply).toMatchReply(400, { non_field_errors: ['Incorrect value'] })
  }
  expect(two.heard).toEqual([])
})

test('a discovery document of another issuer is not believed', async () => {
  const { idp, logIn } = await start()
  const document = idp.answered(DISCOVERY) as object
  for (const issuer of ['https://evil.example', `${idp.url}/x`, undefined, 7]) {
    idp.answer(DISCOVERY, { ...document, issuer })
    expect(await logIn()).toMatchReply(503, UNAVAILABLE)
  }
  expect(idp.count('/introspection')).toBe(0)
  // Many people omit the slash at the end in the settings.
  idp.answer(DISCOVERY, { ...document, issuer: `${idp.url}/` })
  expect((await logIn()).status).toBe(200)
})

test('only hosts from the settings are called, even if a provider points to others', async () => {
  const inside = await startLoopbackServer((_, response) => plain(200, '{}')(response))
  const { idp, logIn, request } = await start()
  const document = idp.answered(DISCOVERY) as object
  for (const target of [`${inside.url}/x`, 'file:///etc/passwd', 'http://169.254.169.254/']) {
    idp.answer(DISCOVERY, {
      ...document,
      introspection_endpoint: target,
      token_endpoint: target,
      jwks_uri: target,
    })
    const fresh = await startAuth(idp.settings())
    const logInThere = (body: object) => fresh.request.post('idp/', body)
    expect(await logInThere({ access_token: 'of-ada' })).toMatchReply(503, UNAVAILABLE)
    expect(await logInThere({ code: 'x' })).toMatchReply(503, UNAVAILABLE)
    const id_token = await idp.idToken(fresh.clock)
    expect(await logInThere({ id_token })).toMatchReply(503, UNAVAILABLE)
  }
  expect(inside.heard).toEqual([])
  expect((await logIn()).status).toBe(503)
  expect((await request.get('csrf/')).status).toBe(200)
})

test('what discovery leaves out, or has wrong, the settings can say', async () => {
  const idp = await startHostileProvider()
  idp.answer(DISCOVERY, { issuer: idp.url, token_endpoint: 'nonsense', jwks_uri: 7 })
  const { request, clock } = await startAuth(idp.settings({ JWKS_URL: `${idp.url}/keys` }))
  const reply = await request.post('idp/', { id_token: await idp.idToken(clock) })
  expect(reply.status).toBe(200)
})
