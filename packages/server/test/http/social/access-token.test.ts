import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { countRows } from '../../support/dump.ts'
import { CLIENT_ID, startHostileProvider } from '../../support/hostile-provider.ts'
import { startAuth } from '../../support/start-auth.ts'

const INCORRECT = { non_field_errors: ['Incorrect value'] }
const NOTHING = { non_field_errors: ['Incorrect input. access_token or code is required.'] }

async function start() {
  const idp = await startHostileProvider()
  const lines: string[] = []
  const auth = await startAuth(idp.settings(), { onLogLine: (line) => lines.push(line) })
  return { ...auth, idp, lines }
}

test('a request without any proof has its own error', async () => {
  const { request } = await start()
  expect(await request.post('idp/', {})).toMatchReply(400, NOTHING)
  const blank = { access_token: '', code: ' ', id_token: '' }
  expect(await request.post('idp/', blank)).toMatchReply(400, NOTHING)
  expect(await request.post('idp/', { code_verifier: 'x', nonce: 'y' })).toMatchReply(400, NOTHING)
  expect(await request.post('idp/', { access_token: null, code: [], id_token: {} })).toMatchReply(
    400,
    {
      access_token: ['This field may not be null.'],
      code: ['Not a valid string.'],
      id_token: ['Not a valid string.'],
    },
  )
})

test('only configured providers have a path', async () => {
  const { request } = await start()
  for (const path of ['google/', 'openid_connect/', 'IDP/', 'google/connect/']) {
    const reply = await request.post(path, { access_token: 'x' })
    expect(reply).toMatchReply(404, { detail: 'Not found.' })
  }
  const reply = await request.get('idp/')
  expect(reply).toMatchReply(405, { detail: 'Method "GET" not allowed.' })
})

test('the module can be off', async () => {
  const idp = await startHostileProvider()
  const { request } = await startAuth({ ...idp.settings(), MODULES: [] })
  expect((await request.post('idp/', { id_token: 'x' })).status).toBe(404)
  expect((await request.get('socialaccounts/')).status).toBe(404)
})

test('an access token that the issuer says is ours logs in, again and again', async () => {
  const { request, idp, db } = await start()
  idp.knowAccessToken('mine', { sub: 'ada', preferred_username: 'ada' })
  const first = await request.post('idp/', { access_token: 'mine' })
  expect(first).toMatchReply(200, KEY)
  expect((await request.post('idp/', { access_token: 'mine' })).body).toEqual(first.body)
  expect(await countRows(db, 'users')).toBe(1)
})

test.each([
  ['by its payload', { typ: 'Bearer' }, {}],
  ['by its scopes', { scope: 'openid email' }, {}],
  ['by its header', {}, { typ: 'at+jwt' }],
  ['for several audiences', { aud: [CLIENT_ID, 'project'], scope: 'openid' }, {}],
])('an access token that is a JWT, %s, is proved by introspection', async (_, claims, header) => {
  const { request, idp, clock, db } = await start()
  const access_token = await idp.idToken(clock, claims, { header })
  expect(await request.post('idp/', { access_token })).toMatchReply(400, INCORRECT)
  expect(await countRows(db, 'users')).toBe(0)
  idp.knowAccessToken(access_token, { sub: 'ada-elsewhere' })
  expect(await request.post('idp/', { access_token })).toMatchReply(200, KEY)
  expect(await request.post('idp/', { access_token })).toMatchReply(200, KEY)
  expect(idp.count('/introspection')).toBe(3)
})

test.each([
  ['of another application', { client_id: 'another-client', sub: 'ada' }],
  ['of no application', { client_id: null, sub: 'ada' }],
])('refused: an access token %s', async (_, owner) => {
  const { request, idp, db } = await start()
  idp.knowAccessToken('theirs', owner)
  const reply = await request.post('idp/', { access_token: 'theirs' })
  expect(reply).toMatchReply(400, INCORRECT)
  expect(idp.count('/userinfo')).toBe(0)
  expect(await countRows(db, 'users')).toBe(0)
})

test('refused: an access token that is unknown, or "active" in a loose sense', async () => {
  const { request, idp } = await start()
  expect(await request.post('idp/', { access_token: 'x' })).toMatchReply(400, INCORRECT)
  for (const active of ['true', 1, {}]) {
    idp.answer('/introspection', { active, client_id: 'the-client', sub: 'ada' })
    expect(await request.post('idp/', { access_token: 'x' })).toMatchReply(400, INCORRECT)
  }
})

test('refused: answers about one access token that contradict each other', async () => {
  const { request, idp } = await start()
  idp.answer('/introspection', { active: true, client_id: 'the-client', sub: 'ada' })
  idp.answer('/userinfo', { sub: 'bob' })
  expect(await request.post('idp/', { access_token: 'x' })).toMatchReply(400, INCORRECT)
  idp.answer('/userinfo', { email: 'ada@example.com' })
  expect(await request.post('idp/', { access_token: 'x' })).toMatchReply(400, INCORRECT)
})

test('without introspection an access token is refused, and the log says what to send', async () => {
  const { request, idp, lines } = await start()
  idp.answer('/.well-known/openid-configuration', {
    issuer: idp.url,
    token_endpoint: `${idp.url}/token`,
    jwks_uri: `${idp.url}/keys`,
    userinfo_endpoint: `${idp.url}/userinfo`,
  })
  idp.knowAccessToken('mine', { sub: 'ada' })
  expect(await request.post('idp/', { access_token: 'mine' })).toMatchReply(400, INCORRECT)
  expect(idp.count('/userinfo')).toBe(0)
  expect(lines.join()).toContain('send id_token or code')
})

test('an access token and an ID token must be of one person', async () => {
  const { request, idp, clock, db } = await start()
  idp.knowAccessToken('of-ada', { sub: 'ada' })
  const both = async (claims: object) =>
    request.post('idp/', { access_token: 'of-ada', id_token: await idp.idToken(clock, claims) })

  expect(await both({ sub: 'mallory' })).toMatchReply(400, INCORRECT)
  expect(await both({ sub: 'ada', at_hash: hashOf('of-somebody') })).toMatchReply(400, INCORRECT)
  expect(await both({ sub: 'ada', at_hash: 7 })).toMatchReply(400, INCORRECT)
  expect(await both({ sub: 'ada', aud: 'another-client' })).toMatchReply(400, INCORRECT)
  expect(await countRows(db, 'users')).toBe(0)
  expect(await both({ sub: 'ada', at_hash: hashOf('of-ada') })).toMatchReply(200, KEY)
  const { rows } = { rows: await db.selectFrom('social_accounts').selectAll().execute() }
  expect(rows).toMatchObject([{ provider: 'idp', issuer: idp.url, subject: 'ada' }])
})

test('two ID tokens of two people are not one proof', async () => {
  const { request, idp, clock, db } = await start()
  const [ada, bob] = [
    await idp.idToken(clock, { sub: 'a' }),
    await idp.idToken(clock, { sub: 'b' }),
  ]
  const reply = await request.post('idp/', { access_token: ada, id_token: bob })
  expect(reply).toMatchReply(400, INCORRECT)
  expect(await countRows(db, 'users')).toBe(0)
})

test('tokens that no header could carry are refused before anybody is called', async () => {
  const { request, idp } = await start()
  for (const access_token of ['ä', 'a b', 'a\r\nx: y', '\u{1f600}']) {
    expect(await request.post('idp/', { access_token })).toMatchReply(400, INCORRECT)
  }
  expect(idp.count('/introspection')).toBe(0)
})

test('neither secrets nor tokens stand in the log', async () => {
  const { request, idp, clock, lines } = await start()
  idp.knowAccessToken('the-token-of-ada', { sub: 'ada' })
  await request.post('idp/', { access_token: 'the-token-of-ada' })
  await request.post('idp/', { access_token: 'the-token-of-bob' })
  const id_token = await idp.idToken(clock, { aud: 'x' })
  await request.post('idp/', { id_token, code: 'a-code' })
  idp.answer('/userinfo', () => undefined)
  await idp.close()
  await request.post('idp/', { access_token: 'the-token-of-ada' })
  const log = lines.join()
  expect(log).toContain('outbound call failed')
  for (const secret of ['the-token', 'the secret of', 'a-code', id_token]) {
    expect(log).not.toContain(secret)
  }
})

const hashOf = (token: string) =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')
