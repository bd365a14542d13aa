import { expect, test } from 'vitest'
import { configureProviders } from '../../../src/features/social/configuration/configure-providers.ts'
import { providers } from '../../../src/features/social/providers/all.ts'
import { KEY } from '../../support/answers.ts'
import { sendJson, startLoopbackServer } from '../../support/loopback-server.ts'
import { factsIn } from '../../support/pages.ts'
import { startAuth } from '../../support/start-auth.ts'

const APP = { client_id: 'our-app', secret: 'our-secret' }
/** As long as what the script of the pages makes. */
const MADE = 'x'.repeat(43)

test('a redirect with a nonce asks for an ID token, which Apple always sends', () => {
  const settings = { server_url: 'https://issuer.example' }
  const configured = configureProviders({
    ...Object.fromEntries(providers.map(({ id }) => [id, { APP }])),
    apple: { APP: { client_id: 'our-app' }, TOKEN_AUTH_METHOD: 'none' },
    microsoft: { APP, TENANT: 'consumers' },
    openid_connect: { APPS: [{ provider_id: 'issuer', ...APP, settings }] },
  })
  expect(configured).toHaveLength(providers.length)
  const withNonce = configured.filter(({ redirect }) => redirect.nonce)
  expect(withNonce.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['apple', 'google', 'microsoft', 'issuer']),
  )
  for (const { name, scopes } of withNonce.filter(({ name }) => name !== 'apple')) {
    expect(scopes, name).toContain('openid')
  }
})

test('a nonce is sent only if the scopes of the settings bring an ID token', () => {
  const [google] = configureProviders({ google: { APP, SCOPE: ['email', 'profile'] } })
  expect(google?.redirect.nonce).toBe(false)
})

test('Facebook sends no ID token for its scopes, and people log in by the pages', async () => {
  const graph = await startLoopbackServer(({ path }, response) => {
    if (path === '/me') sendJson(response, { id: '10158', name: 'Ada L' })
    else sendJson(response, { access_token: 'EAAB', token_type: 'bearer' })
  })
  const { request } = await startAuth({
    SOCIALACCOUNT: { PROVIDERS: { facebook: { APP, GRAPH_API_URL: graph.url } } },
  })
  const page = factsIn(await request.get('/account/login/'))
  expect(page).toMatchObject({ providers: [{ name: 'facebook', nonce: false }] })
  const proof = new URLSearchParams({ state: MADE, nonce: MADE, code_challenge: MADE })
  const go = await request.get(`/account/go/facebook?${proof}`)
  const asked = new URL(String(go.headers.location)).searchParams
  expect(asked.has('nonce')).toBe(false)
  const reply = await request.post('facebook/', {
    code: 'AQB',
    redirect_uri: asked.get('redirect_uri'),
    code_verifier: MADE,
  })
  expect(reply).toMatchReply(200, KEY)
})
