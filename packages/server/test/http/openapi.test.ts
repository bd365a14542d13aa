import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { describeEndpoints } from '../../src/http/openapi.ts'
import type { UncheckedSettings } from '../../src/settings/settings.ts'
import { createDocumentCheck } from '../support/against-the-document.ts'
import { type StartedAuth, startAuth } from '../support/start-auth.ts'

/** Everything is on, with cookies, so that requests from other sites are refused. */
const EVERYTHING: UncheckedSettings = {
  REST_AUTH: { USE_JWT: true, SESSION_LOGIN: true, JWT_AUTH_COOKIE: 'access' },
  ACCOUNT: { LOGIN_BY_CODE_ENABLED: true },
  SOCIALACCOUNT: { PROVIDERS: { google: { APP: { client_id: 'id', secret: 'secret' } } } },
}

const documented = ({ auth }: StartedAuth): Endpoint[] =>
  auth.endpoints().filter((endpoint) => endpoint.documented !== false)

const pathOf = ({ path }: Endpoint): string => path.replace(/:\w+/g, '999999')

/** The statuses that the document lists for each endpoint. */
function listedIn({ auth }: StartedAuth) {
  const { paths } = describeEndpoints(auth.endpoints(), auth.settings)
  return ({ method, path }: Endpoint): number[] => {
    const operation = paths[`/${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]
    return Object.keys(operation?.responses ?? {}).map(Number)
  }
}

// The client compares each answer with the document. These requests only cause such answers.

test('without a credential every answer is in the document', async () => {
  const started = await startAuth(EVERYTHING)
  for (const endpoint of documented(started)) {
    const { status } = await started.request.call(endpoint.method, pathOf(endpoint))
    const wantsOne = endpoint.access === 'signed-in' || endpoint.path === 'token/refresh/'
    expect(status === 401, endpoint.operationId).toBe(wantsOne)
  }
})

test('a foreign page gets an answer that is listed, everywhere', async () => {
  const started = await startAuth(EVERYTHING)
  const listedFor = listedIn(started)
  await started.createUser({ username: 'ada', email: 'ada@example.com' })
  const browser = await started.logInBrowser('ada')
  for (const endpoint of documented(started)) {
    const headers = { origin: 'https://evil.example', ...browser.csrf().headers }
    const { status } = await browser.call(endpoint.method, pathOf(endpoint), {}, { headers })
    expect(status === 403, endpoint.operationId).toBe(
      endpoint.method !== 'GET' && listedFor(endpoint).includes(403),
    )
  }
})

test('a bad body gets an answer that is listed, everywhere', async () => {
  const started = await startAuth(EVERYTHING)
  const listedFor = listedIn(started)
  const token = await tokenOf(started)
  const headers = { authorization: `Bearer ${token}` }
  for (const endpoint of documented(started).filter(({ method }) => method !== 'GET')) {
    if (endpoint.path === 'logout/') continue
    const call = (body: string, type: string) =>
      started.request.call(endpoint.method, pathOf(endpoint), body, { type, headers })
    expect((await call('{', 'application/json')).status, endpoint.operationId).toBe(400)
    expect((await call('x', 'text/plain')).status, endpoint.operationId).toBe(415)
    const large = JSON.stringify({ large: 'x'.repeat(70_000) })
    expect((await call(large, 'application/json')).status, endpoint.operationId).toBe(413)
    const listed = listedFor(endpoint)
    for (const status of [400, 413, 415]) expect(listed, endpoint.operationId).toContain(status)
  }
})

test('what nobody has is 404, and listed', async () => {
  const started = await startAuth(EVERYTHING)
  const listedFor = listedIn(started)
  const headers = { authorization: `Bearer ${await tokenOf(started)}` }
  const byId = documented(started).filter(
    ({ path, access }) => path.includes(':') && access !== 'by-link',
  )
  expect(byId.map(({ path }) => path)).toContain('passkeys/:id/')
  for (const endpoint of byId) {
    const body = endpoint.method === 'GET' ? undefined : { name: 'Laptop' }
    const { status } = await started.request.call(endpoint.method, pathOf(endpoint), body, {
      headers,
    })
    expect(status, endpoint.operationId).toBe(404)
    expect(listedFor(endpoint), endpoint.operationId).toContain(404)
  }
})

test('the check that every other test relies on does find what is not listed', async () => {
  const { auth } = await startAuth()
  const check = createDocumentCheck(auth.endpoints(), auth.settings, 'alone')
  const answer = { method: 'POST', url: '/auth/login/', type: 'application/json', status: 400 }
  const says = (text: string) => ({ non_field_errors: [text] })
  expect(() => check({ ...answer, body: says('E-mail is not verified.') })).not.toThrow()
  expect(() => check({ ...answer, body: says('MFA is not enabled.') })).toThrow(/does not name/)
  expect(() => check({ ...answer, body: says('Something else.') })).toThrow(/does not name/)
  expect(() => check({ ...answer, type: 'text/html', body: '' })).toThrow(/does not list/)
  expect(() => check({ ...answer, status: 409, body: {} })).toThrow(/does not list/)
  expect(() => check({ ...answer, url: '/auth/login?next=1', status: 409, body: {} })).toThrow()

  const good = { ...answer, status: 200 }
  expect(() => check({ ...good, body: { key: 'k' } })).not.toThrow()
  for (const body of [{ key: 5 }, {}, { key: 'k', more: 1 }, [], null, 'k']) {
    expect(() => check({ ...good, body }), JSON.stringify(body)).toThrow(/does not fit/)
  }
  const list = { method: 'GET', url: '/auth/sessions/', type: 'application/json', status: 200 }
  expect(() => check({ ...list, body: [] })).not.toThrow()
  expect(() => check({ ...list, body: [{}] })).toThrow(/does not fit/)
})

async function tokenOf({ createUser, request, auth }: StartedAuth): Promise<string> {
  await createUser({ username: 'ada', email: 'ada@example.com' })
  const password = 'correct horse battery staple'
  const { body } = await request.post('login/', { username: 'ada', password })
  expect(auth.settings.REST_AUTH.USE_JWT).toBe(true)
  return (body as { access: string }).access
}
