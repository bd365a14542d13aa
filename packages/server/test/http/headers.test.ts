import { afterAll, expect, test } from 'vitest'
import type { Client, Reply } from '../support/client.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const { request } = await startAuth({}, { atTheEnd: afterAll })

/** One request for each kind of answer. */
async function everyAnswer(request: Client, token: string): Promise<[string, Reply][]> {
  const logIn = (username: string, password = PASSWORD) =>
    request.post('login/', { username, password })
  const asked: [string, () => Promise<Reply>][] = [
    ['a login', () => logIn('ada')],
    ['a failed login', () => logIn('ada', 'wrong')],
    ['a field error', () => logIn('')],
    ['a malformed body', () => request.post('login/', '{', { type: 'application/json' })],
    ['an unknown type', () => request.post('login/', 'x', { type: 'text/plain' })],
    ['too much', () => logIn('ada', 'x'.repeat(70_000))],
    ['no credential', () => request.get('user/')],
    ['a bad credential', () => request.get('user/', { token: 'x' })],
    ['a foreign page', () => request.post('login/', {}, { headers: { origin: 'null' } })],
    ['a user', () => request.get('user/', { token })],
    ['a CSRF token', () => request.get('csrf/')],
    ['a wrong method', () => request.get('login/')],
    ['an unknown path', () => request.get('nothing/')],
    ['an unknown path elsewhere', () => request.get('/nothing/')],
    ['a path that cannot be decoded', () => request.get('/auth/%E0%A4%A')],
    ['a logout', () => request.post('logout/', {}, { token })],
  ]
  const replies: [string, Reply][] = []
  for (const [what, ask] of asked) replies.push([what, await ask()])
  return replies
}

test('no answer is cached, sniffed, framed or sent on as a referrer', async () => {
  const { request, createUserWithToken } = await startAuth()
  const replies = await everyAnswer(request, await createUserWithToken('ada'))
  const statuses = replies.map(([, { status }]) => status)
  expect(statuses).toEqual([
    200, 400, 400, 400, 415, 413, 401, 401, 403, 200, 200, 405, 404, 404, 404, 200,
  ])
  for (const [what, { headers }] of replies) {
    expect(headers, what).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin)$/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': expect.stringMatching(/^[\w-]{8,}$/),
    })
    for (const name of ['server', 'x-powered-by', 'strict-transport-security']) {
      expect(headers, what).not.toHaveProperty(name)
    }
    for (const name of Object.keys(headers)) expect(name).not.toMatch(/^access-control-|^vary$/)
  }
})

test('documents and operators get the same type', async () => {
  for (const path of ['openapi.json', '.well-known/jwks.json', '/healthz', '/readyz']) {
    expect((await request.get(path)).headers['content-type'], path).toBe('application/json')
  }
})

test('behind https every answer asks for https from then on', async () => {
  const { request, createUserWithToken } = await startAuth({ PUBLIC_URL: 'https://id.example.com' })
  for (const [what, { headers }] of await everyAnswer(request, await createUserWithToken('ada'))) {
    expect(headers['strict-transport-security'], what).toMatch(/^max-age=\d{8,}/)
  }
})

test.each([
  ['7f3b9c'],
  ['0b0a6a5e-5a1c-4a3e-9d52-0f6b7a1f3c11'],
  ['Root=1-67891233-abcdef012345678912345678'],
  ['x'.repeat(128)],
])('the sane request id %s is kept', async (id) => {
  const options = { headers: { 'x-request-id': id } }
  for (const path of ['csrf/', 'user/', 'nothing/', '/healthz', '/auth/%E0%A4%A']) {
    expect((await request.get(path, options)).headers['x-request-id']).toBe(id)
  }
})

test.each([['x'.repeat(129)], ['two words'], ['{"level":60}'], ['<script>'], ['\xe9'], ['']])(
  'the request id %j is replaced',
  async (id) => {
    const { request } = await startAuth()
    const ids = new Set()
    for (const path of ['csrf/', 'user/', 'nothing/']) {
      const { headers } = await request.get(path, { headers: { 'x-request-id': id } })
      expect(headers['x-request-id']).toMatch(/^[\w-]{8,64}$/)
      ids.add(headers['x-request-id'])
    }
    expect(ids.size).toBe(3)
  },
)

const FRONT_END = 'https://app.example.com'
const cors = await startAuth(
  { CORS_ALLOWED_ORIGINS: [FRONT_END, 'http://localhost:3000'] },
  { atTheEnd: afterAll },
)
await cors.createUser({ username: 'ada' })

test.each([[FRONT_END], ['http://localhost:3000']])('%s may read the answers', async (origin) => {
  const { request } = cors
  const options = { headers: { origin } }
  const replies = [
    await request.post('login/', { username: 'ada', password: PASSWORD }, options),
    await request.post('login/', {}, options),
    await request.get('user/', options),
    await request.get('nothing/', options),
  ]
  expect(replies.map(({ status }) => status)).toEqual([200, 400, 401, 404])
  for (const { headers } of replies) {
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': expect.stringMatching(/Retry-After/i),
      vary: expect.stringMatching(/\bOrigin\b/),
    })
  }
})

test.each([
  ['null'],
  ['*'],
  ['https://app.example.com.evil.example'],
  ['https://evil.example'],
  ['https://sub.app.example.com'],
  ['http://app.example.com'],
  ['https://app.example.com:8443'],
  ['https://app.example.com/'],
  ['https://APP.example.com'],
])('the origin %s may not, and caches are told that it matters', async (origin) => {
  const { request } = cors
  for (const method of ['GET', 'OPTIONS'] as const) {
    const { headers } = await request.call(method, 'csrf/', undefined, {
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    for (const name of Object.keys(headers)) expect(name).not.toMatch(/^access-control-/)
    expect(headers.vary).toMatch(/\bOrigin\b/)
  }
})

test('a preflight is answered for a listed origin, with what a front end needs and no more', async () => {
  const { request } = cors
  const reply = await request.call('OPTIONS', 'user/', undefined, {
    headers: {
      origin: FRONT_END,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type,x-csrftoken,x-evil',
    },
  })
  expect(reply).toMatchReply(204)
  expect(reply.headers).toMatchObject({
    'access-control-allow-origin': FRONT_END,
    'access-control-allow-credentials': 'true',
    vary: expect.stringMatching(/\bOrigin\b/),
  })
  const listed = (name: string) => String(reply.headers[name]).toLowerCase().split(', ').toSorted()
  expect(listed('access-control-allow-methods')).toEqual(['delete', 'get', 'patch', 'post', 'put'])
  const allowed = listed('access-control-allow-headers')
  expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'x-csrftoken']))
  expect(allowed).not.toContain('x-evil')
  expect(allowed).not.toContain('*')
  expect(reply.cookies).toEqual([])
})
