import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { fromClient } from '../../support/client.ts'
import { countRows, dump } from '../../support/dump.ts'
import {
  CALLBACK,
  CLIENT_ID,
  CLIENT_SECRET,
  startHostileProvider,
} from '../../support/hostile-provider.ts'
import { startAuth } from '../../support/start-auth.ts'

const FAILED = { non_field_errors: ['Failed to exchange code for access token'] }
const INCORRECT = { non_field_errors: ['Incorrect value'] }

/** A provider that has tokens of `ada-elsewhere` for any code. */
async function start(more: Record<string, unknown> = {}) {
  const idp = await startHostileProvider()
  const auth = await startAuth(idp.settings(more))
  idp.knowAccessToken('an-access-token', { sub: 'ada-elsewhere' })
  idp.giveForCode({ access_token: 'an-access-token', id_token: await idp.idToken(auth.clock) })
  const exchanges = () =>
    idp.heard.filter(({ path }) => path === '/token').map(({ body }) => new URLSearchParams(body))
  return { ...auth, idp, exchanges }
}

test('a code is exchanged in our name, with the verifier, and logs in', async () => {
  const { request, exchanges, idp, db } = await start()
  const reply = await request.post('idp/', { code: 'the-code', code_verifier: 'v'.repeat(43) })
  expect(reply).toMatchReply(200, KEY)
  const [form] = exchanges()
  expect(Object.fromEntries(form ?? [])).toEqual({
    grant_type: 'authorization_code',
    code: 'the-code',
    redirect_uri: CALLBACK,
    code_verifier: 'v'.repeat(43),
  })
  const authorization = idp.heard.find(({ path }) => path === '/token')?.headers.authorization
  const [id, secret] = atob(authorization?.split(' ')[1] ?? '').split(':')
  expect([id, secret].map((part) => decodeURIComponent((part ?? '').replaceAll('+', ' ')))).toEqual(
    [CLIENT_ID, CLIENT_SECRET],
  )
  const kept = await dump(db)
  expect(kept.some((value) => value.includes('the-code') || value.includes(CLIENT_SECRET))).toBe(
    false,
  )
})

test('codes and tokens are taken exactly as sent', async () => {
  const { request, exchanges, idp, clock } = await start()
  expect((await request.post('idp/', { code: ' the-code\n' })).status).toBe(200)
  expect(exchanges().map((form) => form.get('code'))).toEqual([' the-code\n'])
  const token = await idp.idToken(clock)
  expect((await request.post('idp/', { id_token: ` ${token}` })).status).toBe(400)
  for (const access_token of ['an-access-token\n', '\nan-access-token', ' '])
    expect((await request.post('idp/', { access_token })).status, access_token).toBe(400)
  expect((await request.post('idp/', { id_token: token })).status).toBe(200)
})

test('an issuer may give one token, with scopes, as both', async () => {
  const { request, idp, clock } = await start()
  const token = await idp.idToken(clock, { scope: 'openid profile email' })
  idp.knowAccessToken(token, { sub: 'ada-elsewhere' })
  idp.giveForCode({ access_token: token, id_token: token })
  expect(await request.post('idp/', { code: 'the-code' })).toMatchReply(200, KEY)
})

test('a code is used once: the provider never sees it again', async () => {
  const { request, exchanges } = await start()
  expect(await request.post('idp/', { code: 'the-code' })).toMatchReply(200, KEY)
  expect(await request.post('idp/', { code: 'the-code' })).toMatchReply(400, FAILED)
  expect(exchanges()).toHaveLength(1)
})

test('of many parallel uses of one code exactly one logs in', async () => {
  const { request, exchanges, db } = await start()
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, i) => request.post('idp/', { code: 'the-code' }, fromClient(i))),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(23)
  expect(exchanges()).toHaveLength(1)
  expect(await countRows(db, 'users')).toBe(1)
})

test('redirect_uri must be one of the configured callback URLs', async () => {
  const other = 'https://app.example/other'
  const { request, exchanges } = await start({ CALLBACK_URL: [CALLBACK, other] })
  for (const redirect_uri of [
    'https://evil.example/',
    `${CALLBACK}/`,
    `${CALLBACK}?x`,
    CALLBACK.toUpperCase(),
    `${CALLBACK}@evil.example`,
  ]) {
    const reply = await request.post('idp/', { code: 'the-code', redirect_uri })
    expect(reply).toMatchReply(400, FAILED)
  }
  expect(exchanges()).toEqual([])
  const reply = await request.post('idp/', { code: 'the-code', redirect_uri: other })
  expect(reply).toMatchReply(200, KEY)
  expect(exchanges()[0]?.get('redirect_uri')).toBe(other)
})

test.each([
  ['a refusal', 400, { error: 'invalid_grant', error_description: 'ü\r\nSet-Cookie: x=y' }],
  ['a refusal of our own credentials', 401, { error: 'invalid_client' }],
  ['an error that calls itself fine', 200, { error: 'bad_verification_code' }],
  ['tokens that are none', 200, { access_token: ['x'], id_token: {} }],
])('a code that the provider answers with %s logs nobody in', async (_, status, body) => {
  const { request, idp, db } = await start()
  idp.answer('/token', (response: { writeHead(n: number, h: object): { end(b: string): void } }) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  )
  const reply = await request.post('idp/', { code: 'the-code' })
  expect(reply).toMatchReply(400, FAILED)
  expect(reply.cookies).toEqual([])
  expect(await countRows(db, 'users')).toBe(0)
  expect(await countRows(db, 'spent_proofs')).toBe(0)
})

test('what came for a code must agree: ID token, at_hash, userinfo and nonce', async () => {
  const { request, idp, clock, db } = await start()
  const tryWith = async (claims: object, more: object = {}) => {
    const id_token = await idp.idToken(clock, claims)
    idp.giveForCode({ access_token: 'an-access-token', id_token })
    return request.post('idp/', { code: String(Math.random()), ...more })
  }
  expect(await tryWith({ sub: 'somebody-else' })).toMatchReply(400, INCORRECT)
  expect(await tryWith({ at_hash: 'of-another-token' })).toMatchReply(400, INCORRECT)
  expect(await tryWith({ aud: 'another-client' })).toMatchReply(400, INCORRECT)
  expect(await tryWith({ nonce: 'another' }, { nonce: 'mine' })).toMatchReply(400, INCORRECT)
  idp.giveForCode({ access_token: 'an-access-token' })
  const noIdToken = { code: 'c', nonce: 'mine' }
  expect(await request.post('idp/', noIdToken)).toMatchReply(400, INCORRECT)
  expect(await countRows(db, 'users')).toBe(0)
  expect(await tryWith({ nonce: 'mine' }, { nonce: 'mine' })).toMatchReply(200, KEY)
})

test('verifiers and codes that no header or form could carry are refused, not stumbled over', async () => {
  const { request } = await start()
  const reply = await request.post('idp/', { code: 'ö\u2028', code_verifier: 'ä\n' })
  expect(reply).toMatchReply(400, FAILED)
  expect(await request.post('idp/', { code: 'x'.repeat(4097) })).toMatchReply(400, {
    code: ['Ensure this field has no more than 4096 characters.'],
  })
  expect(await request.post('idp/', { code: '\0' })).toMatchReply(400, {
    code: ['Null characters are not allowed.'],
  })
})
