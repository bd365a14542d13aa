import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { KEY } from '../../support/answers.ts'
import { startOpenIdProvider } from '../../support/openid-provider.ts'
import { FORM, factsIn } from '../../support/pages.ts'
import { startAuth } from '../../support/start-auth.ts'

const CALLBACK = 'http://localhost:8000/account/callback/real'
const made = () => randomBytes(32).toString('base64url')
const APP = { client_id: 'latchkey', secret: 'a secret' }

/** As the script of the pages makes it. */
function makeProof() {
  const verifier = made()
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, state: made(), nonce: made(), code_challenge }
}

const goWith = ({ state, nonce, code_challenge }: ReturnType<typeof makeProof>) =>
  new URLSearchParams({ state, nonce, code_challenge })

async function startWithIssuer() {
  const provider = await startOpenIdProvider([
    { client_id: APP.client_id, client_secret: APP.secret, redirect_uris: [CALLBACK] },
  ])
  const settings = { server_url: provider.url }
  const APPS = [{ provider_id: 'real', name: 'Real', ...APP, settings }]
  const auth = await startAuth(
    { SOCIALACCOUNT: { PROVIDERS: { openid_connect: { APPS } } } },
    { startAt: Date.now() },
  )
  return { ...auth, provider }
}

test('the way to an issuer and back, with state, nonce and PKCE', async () => {
  const { request, provider } = await startWithIssuer()
  const proof = makeProof()
  const go = await request.get(`/account/go/real?${goWith(proof)}`)
  expect(go.status).toBe(302)
  const target = new URL(String(go.headers.location))
  expect(target.origin).toBe(new URL(provider.url).origin)
  const asked = Object.fromEntries(target.searchParams)
  expect(asked).toEqual({
    response_type: 'code',
    client_id: APP.client_id,
    redirect_uri: CALLBACK,
    scope: 'openid email profile',
    state: proof.state,
    nonce: proof.nonce,
    code_challenge: proof.code_challenge,
    code_challenge_method: 'S256',
  })

  const back = await provider.visit(asked as never)
  expect(back.href.startsWith(CALLBACK)).toBe(true)
  const page = await request.get(`${back.pathname}${back.search}`)
  const { callback } = factsIn(page) as { callback: Record<string, string> }
  expect(callback).toMatchObject({ provider: 'real', state: proof.state, error: '' })
  const reply = await request.post('real/', {
    code: callback.code,
    redirect_uri: CALLBACK,
    code_verifier: proof.verifier,
    nonce: proof.nonce,
  })
  expect(reply).toMatchReply(200, KEY)
})

test('our own callback is allowed only while the pages are on', async () => {
  const PROVIDERS = { github: { APP } }
  const body = { code: 'x', redirect_uri: 'http://localhost:8000/account/callback/github' }
  const off = await startAuth({ MODULES: ['social'], SOCIALACCOUNT: { PROVIDERS } })
  expect((await off.request.post('github/', body)).status).toBe(400)
  expect((await off.request.get('/account/go/github')).status).toBe(404)
})

test('nobody is sent anywhere without a proof that a script has made', async () => {
  const { request } = await startAuth({ SOCIALACCOUNT: { PROVIDERS: { github: { APP } } } })
  const good = makeProof()
  for (const bad of [
    { ...good, state: '' },
    { ...good, nonce: good.nonce.slice(1) },
    { ...good, nonce: `${good.nonce}x` },
    { ...good, code_challenge: 'with blanks and more than twenty' },
  ]) {
    const reply = await request.get(`/account/go/github?${goWith(bad)}`)
    expect(reply.status).toBe(404)
    expect(reply.headers).not.toHaveProperty('location')
  }
  expect((await request.get(`/account/go/gitlab?${goWith(good)}`)).status).toBe(404)
  expect((await request.get('/account/callback/gitlab')).status).toBe(404)
})

test('what the settings say about the redirect is sent, but cannot change its proof', async () => {
  const { request } = await startAuth({
    SOCIALACCOUNT: {
      PROVIDERS: {
        google: {
          APP,
          SCOPE: ['openid', 'email'],
          AUTH_PARAMS: {
            access_type: 'online',
            state: 'fixed',
            redirect_uri: 'https://evil.example',
          },
        },
        github: { APP, AUTHORIZE_URL: 'https://proxy.example/authorize?tenant=1' },
      },
    },
  })
  const proof = makeProof()
  const google = new URL(
    String((await request.get(`/account/go/google?${goWith(proof)}`)).headers.location),
  )
  expect(google.searchParams.get('access_type')).toBe('online')
  expect(google.searchParams.get('scope')).toBe('openid email')
  expect(google.searchParams.get('state')).toBe(proof.state)
  expect(google.searchParams.get('redirect_uri')).toBe(
    'http://localhost:8000/account/callback/google',
  )
  const github = String((await request.get(`/account/go/github?${goWith(proof)}`)).headers.location)
  expect(github).toMatch(/^https:\/\/proxy\.example\/authorize\?tenant=1&/)
})

test('nobody is sent to Apple if there is no key to exchange its codes', async () => {
  const apple = { APP: { client_id: 'our.app' }, TOKEN_AUTH_METHOD: 'none' }
  const { request } = await startAuth({ SOCIALACCOUNT: { PROVIDERS: { apple } } })
  expect((await request.get(`/account/go/apple?${goWith(makeProof())}`)).status).toBe(404)
  expect(factsIn(await request.get('/account/login/'))).toMatchObject({
    providers: [{ name: 'apple', hasRedirect: false }],
  })
})

test('an answer that names another issuer is an error', async () => {
  const APPS = [{ provider_id: 'real', ...APP, settings: { server_url: 'https://id.example' } }]
  const { request } = await startAuth({
    SOCIALACCOUNT: { PROVIDERS: { openid_connect: { APPS }, google: { APP }, github: { APP } } },
  })
  const errorOf = async (provider: string, iss: string) => {
    const query = new URLSearchParams({ code: 'c', state: 's', iss })
    const page = await request.get(`/account/callback/${provider}?${query}`)
    return (factsIn(page) as { callback: { error: string } }).callback.error
  }
  expect(await errorOf('real', 'https://id.example/')).toBe('')
  expect(await errorOf('real', 'https://evil.example')).toBe('wrong_issuer')
  expect(await errorOf('google', 'https://accounts.google.com')).toBe('')
  expect(await errorOf('google', 'https://id.example')).toBe('wrong_issuer')
  // It has no ID tokens, so its issuer is not known here.
  expect(await errorOf('github', 'https://github.com/login/oauth')).toBe('')
})

test('a provider that is down sends people back to a page, not to JSON', async () => {
  const settings = { server_url: 'http://127.0.0.1:9' }
  const APPS = [{ provider_id: 'real', ...APP, settings }]
  const { request } = await startAuth({
    SOCIALACCOUNT: { PROVIDERS: { openid_connect: { APPS } } },
  })
  const proof = makeProof()
  const reply = await request.get(`/account/go/real?${goWith(proof)}`)
  expect(reply.status).toBe(302)
  // The state tells the page what the visitor came for.
  expect(reply.headers.location).toBe(
    `/account/callback/real?error=temporarily_unavailable&state=${proof.state}`,
  )
})

test('Apple posts its answer as a form, and the page takes it without repeating markup', async () => {
  const { request } = await startAuth({ SOCIALACCOUNT: { PROVIDERS: { github: { APP } } } })
  const form = new URLSearchParams({ code: '</script><b>', state: 's', other: 'x' }).toString()
  const headers = { origin: 'https://appleid.apple.com' }
  const page = await request.post('/account/callback/github', form, { type: FORM, headers })
  expect(page.status).toBe(200)
  expect(page.cookies).toEqual([])
  expect(page.body).not.toContain('</script><b>')
  expect(factsIn(page)).toMatchObject({ callback: { code: '</script><b>', state: 's' } })
})
