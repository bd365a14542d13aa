import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { good, startService } from './support.ts'

let service: Awaited<ReturnType<typeof startService>>

const APPS = [
  {
    ...{ provider_id: 'acme', name: 'Acme', client_id: 'latchkey', secret: 'a secret' },
    settings: { server_url: 'test:' },
  },
]

beforeAll(async () => {
  const PROVIDERS = { openid_connect: { APPS, CALLBACK_URL: ['http://app.localhost/back'] } }
  service = await startService({ SOCIALACCOUNT: { PROVIDERS } }, { atTheEnd: afterAll })
})

beforeEach(async () => {
  await good(service.test('POST', 'reset'))
})

const next = (body: unknown) => service.test('POST', 'idp/acme/next', body)
const verifier = 'v'.repeat(43)

/** Goes to the provider as a browser does, and returns the address that it is sent back to. */
async function visit(): Promise<URL> {
  const query = new URLSearchParams({
    ...{ client_id: 'latchkey', response_type: 'code', scope: 'openid', state: 'a state' },
    redirect_uri: 'http://app.localhost/back',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const { status, headers } = await service.test('GET', `idp/acme/authorize?${query}`)
  expect(status).toBe(302)
  return new URL(headers.get('location') ?? '')
}

async function logIn(code_verifier = verifier) {
  const code = (await visit()).searchParams.get('code')
  const body = { code, redirect_uri: 'http://app.localhost/back', code_verifier }
  return service.api('POST', 'acme/', body)
}

async function userOf(key: unknown) {
  const authorization = `Token ${key}`
  return (await service.api('GET', 'user/', undefined, { authorization })).body
}

test('somebody logs in, and the next login is whoever the test says', async () => {
  const { body } = await logIn()
  expect(await userOf((body as { key: string }).key)).toMatchObject({
    email: 'somebody@example.com',
  })
  await good(next({ sub: 'g-1', email: 'grace@example.com', email_verified: true }))
  const grace = await logIn()
  expect(await userOf((grace.body as { key: string }).key)).toMatchObject({
    email: 'grace@example.com',
  })
  // It was for one login.
  const again = await logIn()
  expect(await userOf((again.body as { key: string }).key)).toMatchObject({
    email: 'somebody@example.com',
  })
})

test('a turned clock does not matter', async () => {
  await good(service.test('POST', 'clock', { freeze: '2035-01-01T00:00:00Z' }))
  expect((await logIn()).status).toBe(200)
})

test('an error comes back to the page', async () => {
  await good(next({ error: 'access_denied' }))
  const back = await visit()
  expect(back.searchParams.get('error')).toBe('access_denied')
  expect(back.searchParams.get('state')).toBe('a state')
  expect(back.searchParams.has('code')).toBe(false)
})

test('a wrong verifier is refused, and a code works once', async () => {
  expect((await logIn('w'.repeat(43))).status).toBe(400)
  const form = (code: string | null, secret = 'a secret') =>
    service.at(
      'POST',
      '/__test/idp/acme/token',
      new URLSearchParams({
        ...{ grant_type: 'authorization_code', code: code ?? '', code_verifier: verifier },
        ...{ redirect_uri: 'http://app.localhost/back', client_id: 'latchkey' },
        client_secret: secret,
      }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    )
  const code = (await visit()).searchParams.get('code')
  expect(await form(code, 'guessed')).toMatchObject({ status: 401 })
  const first = await form(code)
  expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
  expect(await form(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const { access_token } = first.body as { access_token: string }
  const authorization = `Bearer ${access_token}`
  expect(
    await service.test('GET', 'idp/acme/userinfo', undefined, { authorization }),
  ).toMatchObject({ status: 200, body: { sub: 'somebody' } })
  expect(await service.test('GET', 'idp/acme/userinfo')).toMatchObject({ status: 401 })
})

test('the pages offer it, and each space has its own', async () => {
  const config = '/__test/idp/acme/.well-known/openid-configuration'
  const first = await good<{ issuer: string }>(service.at('GET', config))
  expect(first.issuer).toBe(`${service.url}/__test/idp/acme`)
  const other = await good<{ issuer: string }>(
    service.at('GET', config, undefined, { 'x-test-space': 'w1' }),
  )
  expect(other.issuer).not.toBe(first.issuer)
})

test.each([
  [{ emails: 'x' }, 'Did you mean "email"?'],
  [{ sub: '' }, 'sub: expected a text'],
  [{ sub: 5 }, 'sub: expected a text'],
  [{ email_verified: 'maybe' }, 'email_verified: expected true or false'],
  [{ error: 'access_denied', sub: 'x' }, 'a login that fails has no sub'],
  [{ delay: '5h' }, 'delay: expected a duration'],
  [{ claims: 'admin' }, 'Expected claims to be an object'],
])('next %j is refused', async (body, words) => {
  const { status, body: answer } = await next(body)
  expect(status).toBe(400)
  expect((answer as { detail: string }).detail).toContain(words)
})

test('a provider that is not played is named', async () => {
  expect(await service.test('POST', 'idp/google/next', {})).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining('These have it: acme.') },
  })
  expect(await service.test('GET', 'idp/acme/authorize?client_id=other')).toMatchObject({
    status: 400,
  })
})
