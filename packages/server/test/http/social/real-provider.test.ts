import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { startOpenIdProvider } from '../../support/openid-provider.ts'
import { startAuth } from '../../support/start-auth.ts'

const FAILED = { non_field_errors: ['Failed to exchange code for access token'] }
const INCORRECT = { non_field_errors: ['Incorrect value'] }
const CALLBACK = 'https://app.example/callback'

async function start() {
  const client = {
    client_id: 'latchkey',
    client_secret: 'a secret for tests: with + and %',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'implicit'],
    response_types: ['code' as const, 'id_token' as const],
  }
  const another = { ...client, client_id: 'another' }
  const provider = await startOpenIdProvider([client, another])
  const { client_id, client_secret: secret } = client
  const settings = { server_url: provider.url }
  const APPS = [{ provider_id: 'real', client_id, secret, settings }]
  const auth = await startAuth(
    { SOCIALACCOUNT: { PROVIDERS: { openid_connect: { CALLBACK_URL: CALLBACK, APPS } } } },
    { startAt: Date.now() },
  )
  const scope = 'openid email profile'
  const visit = (query: object) =>
    provider.visit({ client_id, redirect_uri: CALLBACK, scope, ...query } as never)
  return { ...auth, provider, visit }
}

test('the whole code flow with PKCE and a nonce', async () => {
  const { request, visit } = await start()
  const code_verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const asked = { code_challenge, code_challenge_method: 'S256', response_type: 'code' }
  const codeOf = async (query: object) =>
    (await visit({ ...asked, ...query })).searchParams.get('code') ?? ''

  const code = await codeOf({ nonce: 'n-1', state: 's-1' })
  const reply = await request.post('real/', { code, code_verifier, nonce: 'n-1' })
  expect(reply).toMatchReply(200, KEY)
  const { key } = reply.body as { key: string }
  expect((await request.get('user/', { token: key })).body).toMatchObject({
    username: 'ada',
    email: 'ada@example.com',
  })
  expect((await request.get('socialaccounts/', { token: key })).body).toMatchObject([
    { provider: 'real', uid: 'ada-at-the-provider' },
  ])

  expect(await request.post('real/', { code, code_verifier })).toMatchReply(400, FAILED)
  const stripped = { code: await codeOf({ nonce: 'n-2' }) }
  expect(await request.post('real/', stripped)).toMatchReply(400, FAILED)
  const wrong = { code: await codeOf({ nonce: 'n-3' }), code_verifier: 'x'.repeat(43) }
  expect(await request.post('real/', wrong)).toMatchReply(400, FAILED)
  const injected = { code: await codeOf({ nonce: 'n-4' }), code_verifier, nonce: 'n-5' }
  expect(await request.post('real/', injected)).toMatchReply(400, INCORRECT)
})

test('an ID token alone, once', async () => {
  const { request, visit } = await start()
  const { hash } = await visit({ response_type: 'id_token', nonce: 'n-1' })
  const id_token = new URLSearchParams(hash.slice(1)).get('id_token') ?? ''
  expect(await request.post('real/', { id_token, nonce: 'n-1' })).toMatchReply(200, KEY)
  expect(await request.post('real/', { id_token })).toMatchReply(400, INCORRECT)
})

test('an ID token of another application of the same provider is refused', async () => {
  const { request, visit } = await start()
  const asked = { client_id: 'another', response_type: 'id_token', nonce: 'n' }
  const { hash } = await visit(asked)
  const id_token = new URLSearchParams(hash.slice(1)).get('id_token') ?? ''
  expect(id_token).not.toBe('')
  expect(await request.post('real/', { id_token })).toMatchReply(400, INCORRECT)
})
