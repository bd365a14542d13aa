import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, good, startService } from './support.ts'

let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  service = await startService({}, { atTheEnd: afterAll, seed: [{ username: 'ada' }] })
})

beforeEach(async () => {
  await good(service.test('POST', 'reset'))
})

const fault = (body: unknown) => service.test('POST', 'faults', body)
const csrf = () => service.api('GET', 'csrf/')

test('a path fails as often as it was asked to', async () => {
  await good(fault({ path: 'csrf/', status: 503, times: 2 }))
  expect([(await csrf()).status, (await csrf()).status, (await csrf()).status]).toEqual([
    503, 503, 200,
  ])
})

test('a page of another origin reads a fault as any other refusal, and asks first as usual', async () => {
  const origin = 'https://app.example.com'
  const other = await startService({ CORS_ALLOWED_ORIGINS: [origin] })
  const preflight = { origin, 'access-control-request-method': 'POST' }
  const allowed = { 'access-control-allow-origin': origin }
  const headersOf = ({ headers }: Answer) => Object.fromEntries(headers)
  for (const [status, headers, detail] of [
    [401, { 'www-authenticate': 'Token' }, 'The test asked for this fault.'],
    [429, { 'retry-after': '1' }, 'Request was throttled. Expected available in 1 second.'],
    [500, {}, 'Internal server error.'],
    [503, { 'retry-after': '1' }, 'Service temporarily unavailable, try again later.'],
  ] as const) {
    await good(other.test('POST', 'faults', { path: 'login/', status, times: 1 }))
    const asked = await other.api('OPTIONS', 'login/', undefined, preflight)
    expect([asked.status, headersOf(asked)]).toEqual([204, expect.objectContaining(allowed)])
    const failed = await other.api('POST', 'login/', {}, { origin })
    expect(failed).toMatchObject({ status, body: { detail } })
    expect(headersOf(failed)).toMatchObject({ ...allowed, ...headers, 'cache-control': 'no-store' })
    expect((await other.api('POST', 'login/', {}, { origin })).status).toBe(400)
  }
})

test('a fault comes before the credential is checked, and on a path that is not served', async () => {
  await good(fault({ path: 'user/', status: 502, times: 2 }))
  expect((await service.api('HEAD', 'user/')).status).toBe(502)
  expect((await service.api('GET', 'user/', undefined, { authorization: 'Token x' })).status).toBe(
    502,
  )
  expect((await service.api('GET', 'user/')).status).toBe(401)
  for (const status of [400, 413, 415, 502]) {
    await good(fault({ path: 'nowhere/', status, times: 1 }))
    expect((await service.api('GET', 'nowhere/')).status).toBe(status)
    expect((await service.api('GET', 'nowhere/')).status).toBe(404)
  }
})

test('a method that the path does not have uses up no fault', async () => {
  await good(fault({ path: 'login/', status: 503, times: 1 }))
  expect((await service.api('GET', 'login/')).status).toBe(405)
  expect((await service.api('POST', 'login/', {})).status).toBe(503)
})

test('a fault is taken back by null, or with all others', async () => {
  await good(fault({ path: '/csrf', status: 500 }))
  expect((await csrf()).status).toBe(500)
  await good(fault({ path: 'csrf/', status: null }))
  expect((await csrf()).status).toBe(200)
  await good(fault({ path: 'csrf/', delay: '0.01s', status: 418 }))
  expect(await good(service.test('GET', 'faults'))).toEqual({
    ...{ paths: [{ path: 'csrf', status: 418, delay: 0.01 }], smtp: null, database: null },
  })
  expect((await csrf()).status).toBe(418)
  await good(service.test('DELETE', 'faults'))
  expect((await csrf()).status).toBe(200)
})

test('a slow path still answers', async () => {
  await good(fault({ path: 'csrf/', delay: 0.02, times: 1 }))
  expect((await csrf()).status).toBe(200)
})

test('without its database the service says so, and the test service says why', async () => {
  await good(fault({ database: 'down' }))
  const login = { username: 'ada', password: 'x' }
  expect(await service.api('POST', 'login/', login)).toMatchObject({ status: 503 })
  expect(await service.at('GET', '/readyz')).toMatchObject({ status: 503 })
  expect(await service.at('GET', '/healthz')).toMatchObject({ status: 200 })
  expect(await service.test('POST', 'users', {})).toMatchObject({
    status: 503,
    body: { detail: expect.stringContaining('DELETE faults') },
  })
  await good(service.test('POST', 'clock', { advance: '1d' }))
  await good(fault({ database: null }))
  expect(await service.api('POST', 'login/', login)).toMatchObject({ status: 400 })
})

test.each([
  [{}, 'Expected one of path, smtp, database.'],
  [{ path: 'login/' }, 'needs a status, a delay or both'],
  [{ path: 'login/', status: 200 }, 'status: expected a whole number from 400 to 599.'],
  [{ path: 'login/', status: '5oo' }, 'status: expected'],
  [{ path: 'login/', delay: '2h' }, 'delay: expected a duration'],
  [{ path: 'login/', status: 500, times: 0 }, 'times: expected a whole number from 1'],
  [{ path: '', status: 500 }, 'path: expected a text'],
  [{ path: 7, status: 500 }, 'path: expected a text'],
  [{ smtp: 'slow' }, 'smtp: expected refuse, hang.'],
  [{ smtp: 'hang', times: 2 }, 'times: only for a fault of a path.'],
  [{ database: 'up' }, 'database: expected down.'],
  [{ smtp: 'hang', database: 'down' }, 'not smtp and database'],
  [{ disk: 'full' }, '"disk" is not known'],
])('%j is refused, and nothing fails', async (body, words) => {
  const answer = await fault(body)
  expect(answer.status).toBe(400)
  expect((answer.body as { detail: string }).detail).toContain(words)
  expect(await good(service.test('GET', 'faults'))).toEqual({
    ...{ paths: [], smtp: null, database: null },
  })
})

test('a page from elsewhere cannot reach it under a name that leads here', async () => {
  const status = await new Promise((resolve, reject) => {
    const { port } = new URL(service.url)
    const headers = { host: `evil.example:${port}` }
    request({ host: '127.0.0.1', port, path: '/__test/', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
  expect(status).toBe(403)
})

test('bodies are bounded', async () => {
  const body = JSON.stringify({ username: 'x'.repeat(5_000_000) })
  expect(await service.test('POST', 'users', body)).toMatchObject({ status: 413 })
})
