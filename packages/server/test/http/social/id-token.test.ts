import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { fromClient } from '../../support/client.ts'
import { countRows, dump } from '../../support/dump.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  newKey,
  startHostileProvider,
} from '../../support/hostile-provider.ts'
import { startWithIdTokens as start } from '../../support/id-tokens.ts'
import { startAuth } from '../../support/start-auth.ts'

const INCORRECT = { non_field_errors: ['Incorrect value'] }
const MINUTE = 60_000

test('an ID token alone logs in, and the second one opens the same account', async () => {
  const { request, token, db } = await start()
  const first = await request.post('idp/', { id_token: await token() })
  expect(first).toMatchReply(200, KEY)
  expect(first.cookies.map(({ name }) => name).toSorted()).toEqual(['csrftoken', 'sessionid'])
  const second = await request.post('idp/', { id_token: await token() })
  expect(second.body).toEqual(first.body)
  expect(await countRows(db, 'users')).toBe(1)
  expect(await countRows(db, 'social_accounts')).toBe(1)
})

test('an ID token in the field of the access token is recognised', async () => {
  const { request, token, idp } = await start()
  expect(await request.post('idp/', { access_token: await token() })).toMatchReply(200, KEY)
  const both = await token()
  const reply = await request.post('idp/', { access_token: both, id_token: both })
  expect(reply).toMatchReply(200, KEY)
  expect(idp.count('/introspection')).toBe(0)
  expect(idp.count('/userinfo')).toBe(0)
})

test('an ID token works once, in every spelling', async () => {
  const { request, token, db, clock } = await start()
  const once = await token()
  expect(await request.post('idp/', { id_token: once })).toMatchReply(200, KEY)
  expect(await request.post('idp/', { id_token: once })).toMatchReply(400, INCORRECT)
  expect(await request.post('idp/', { access_token: once })).toMatchReply(400, INCORRECT)
  // For each ECDSA signature anybody can compute a second valid one.
  expect(await request.post('idp/', { id_token: twinOf(once) })).toMatchReply(400, INCORRECT)
  clock.advance(7 * MINUTE)
  expect(await request.post('idp/', { id_token: once })).toMatchReply(400, INCORRECT)
  expect(await countRows(db, 'logins')).toBe(1)
  expect((await dump(db)).some((value) => value.includes(once.slice(0, 40)))).toBe(false)
})

test('of many parallel uses of one ID token exactly one logs in', async () => {
  const { request, token, db } = await start()
  const id_token = await token()
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, i) => request.post('idp/', { id_token }, fromClient(i))),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(23)
  expect(await countRows(db, 'users')).toBe(1)
})

const now = Date.UTC(2030, 0, 1, 12) / 1000

/** For requests that change nothing. Each comes from another address, so that no limit answers. */
const unmoved = await start({}, afterAll)
let clients = 0

test.each([
  ['another audience', { aud: 'another-client' }],
  ['no audience', { aud: undefined }],
  ['an audience that only begins like ours', { aud: `${CLIENT_ID}-2` }],
  ['two audiences and no azp', { aud: [CLIENT_ID, 'another-client'] }],
  ['two audiences and another azp', { aud: [CLIENT_ID, 'other'], azp: 'other' }],
  ['our audience and another azp', { azp: 'another-client' }],
  ['an azp that is no text', { azp: [CLIENT_ID] }],
  ['another issuer', { iss: 'https://issuer.example' }],
  ['no issuer', { iss: undefined }],
  ['an expiry in the past', { exp: now - 61 }],
  ['no expiry', { exp: undefined }],
  ['an expiry that is no number', { exp: '9999999999' }],
  ['an issue in the future', { iat: now + 61 }],
  ['no issue time', { iat: undefined }],
  ['a validity in the future', { nbf: now + 61 }],
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['a subject that is no text', { sub: ['ada'] }],
  ['a subject beyond all bounds', { sub: 'x'.repeat(256) }],
  ['a subject with a null character', { sub: 'a\0b' }],
  ['the events of a logout token', { events: {} }],
  ['the typ of an access token', { typ: 'Bearer' }],
  ['scopes, as an access token', { scope: 'openid' }],
  ['a list of scopes', { scope: ['openid', 'email'] }],
  ['scopes, as an access token of Microsoft', { scp: 'access_as_user' }],
])('refused: an ID token with %s', async (_, claims) => {
  const { request, token, db } = unmoved
  clients += 1
  const id_token = await token(claims)
  const reply = await request.post('idp/', { id_token }, fromClient(clients))
  expect(reply).toMatchReply(400, INCORRECT)
  expect(reply.cookies).toEqual([])
  for (const table of ['users', 'social_accounts', 'logins', 'outbox', 'spent_proofs'] as const) {
    expect(await countRows(db, table)).toBe(0)
  }
})

test.each([
  ['a minute of leeway', { exp: now - 59, iat: now + 59, nbf: now + 59 }],
  ['two audiences and our azp', { aud: [CLIENT_ID, 'another-client'], azp: CLIENT_ID }],
  ['an expiry beyond all bounds', { exp: 1e300 }],
  ['the typ of Keycloak', { typ: 'ID' }],
  ['the scope of UAA', { scope: ['openid'] }],
])('accepted: an ID token with %s', async (_, claims) => {
  const { request, token } = await start()
  expect(await request.post('idp/', { id_token: await token(claims) })).toMatchReply(200, KEY)
})

test('refused: ID tokens that are signed by nobody, by somebody else, or with our secret', async () => {
  const { request, token, idp, clock, db } = await start()
  const claims = { iss: idp.url, aud: CLIENT_ID, sub: 'ada', iat: now, exp: now + 300 }
  const none = new UnsecuredJWT(claims).encode()
  const withSecret = (alg: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg, kid: 'first' })
      .sign(new TextEncoder().encode(CLIENT_SECRET.padEnd(64, '.')))
  const [head = '', body = '', signature = ''] = (await token()).split('.')
  const stranger = await newKey('first')
  const forgeries = [
    none,
    `${head}.${body}.`,
    `${head}.${body}`,
    `${head}.${body}.${signature}.`,
    `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`,
    await withSecret('HS256'),
    await withSecret('HS512'),
    await idp.idToken(clock, {}, { key: stranger }),
    await idp.idToken(clock, {}, { header: { typ: 'at+jwt' } }),
    await idp.idToken(clock, {}, { header: { typ: 'logout+jwt' } }),
    await idp.idToken(
      clock,
      {},
      { key: { ...stranger, kid: 'unknown' }, header: { jwk: stranger.jwk } },
    ),
    await idp.idToken(clock, {}, { key: stranger, header: { jku: 'http://127.0.0.1:9/keys' } }),
    'garbage',
    'a.b.c',
    '..',
    'ä.ö.ü',
  ]
  for (const id_token of forgeries) {
    expect(await request.post('idp/', { id_token }), id_token).toMatchReply(400, INCORRECT)
  }
  expect(await countRows(db, 'users')).toBe(0)
})

test('the nonce must be the one that was sent, and works once', async () => {
  const { request, token } = await start()
  const logIn = async (inToken: string | undefined, sent: string) =>
    request.post('idp/', { id_token: await token({ nonce: inToken }), nonce: sent })
  expect(await logIn('another', 'mine')).toMatchReply(400, INCORRECT)
  expect(await logIn(undefined, 'mine')).toMatchReply(400, INCORRECT)
  expect(await logIn('mine', 'mine')).toMatchReply(200, KEY)
  expect(await logIn('mine', 'mine')).toMatchReply(400, INCORRECT)
})

test('several applications of one provider: all are audiences', async () => {
  const idp = await startHostileProvider()
  const APPS = ['web', 'phone'].map((client_id) => ({ client_id, secret: 'shared' }))
  const google = { APPS, ISSUER: idp.url, JWKS_URL: `${idp.url}/keys` }
  const { request, clock } = await startAuth({ SOCIALACCOUNT: { PROVIDERS: { google } } })
  const logIn = async (aud: string, azp: string) =>
    request.post('google/', { id_token: await idp.idToken(clock, { aud, azp }) })
  expect(await logIn('web', 'phone')).toMatchReply(200, KEY)
  expect(await logIn('phone', 'phone')).toMatchReply(200, KEY)
  expect(await logIn('web', 'watch')).toMatchReply(400, INCORRECT)
})

/** The same signature with s replaced by n - s. */
function twinOf(token: string): string {
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
  const [head, body, signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const twin = Buffer.concat([
    bytes.subarray(0, 32),
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
  ])
  return `${head}.${body}.${twin.toString('base64url')}`
}
