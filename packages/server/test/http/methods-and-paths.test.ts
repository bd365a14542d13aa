import type { InjectOptions } from 'fastify'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { KEY, LOGGED_OUT, NOT_FOUND } from '../support/answers.ts'
import type { Reply } from '../support/client.ts'
import { readAnswer, sendBytes } from '../support/socket.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const { app, request, createUserWithToken } = await startAuth({}, { atTheEnd: afterAll })
const token = await createUserWithToken('ada')

type Method = NonNullable<InjectOptions['method']>

const METHODS: Record<string, Method[]> = {
  'login/': ['OPTIONS', 'POST'],
  'logout/': ['OPTIONS', 'POST'],
  'user/': ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT'],
  'csrf/': ['GET', 'HEAD', 'OPTIONS'],
}
const ALL: Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

const allowedBy = ({ headers }: Reply) => String(headers.allow).split(', ').toSorted()

test.each(Object.entries(METHODS))('%s knows only the methods %o', async (path, methods) => {
  for (const spelling of [path, path.replace(/\/$/, '')]) {
    for (const method of ALL.filter((one) => !methods.includes(one))) {
      const reply = await request.call(method, spelling)
      expect(reply).toMatchReply(405, { detail: `Method "${method}" not allowed.` })
      expect(allowedBy(reply)).toEqual(methods)
      expect(reply.cookies).toEqual([])
    }
  }
})

test.each(Object.entries(METHODS))('OPTIONS of %s tells the methods %o', async (path, methods) => {
  const reply = await request.call('OPTIONS', path)
  expect(reply.status).toBeLessThan(300)
  expect(allowedBy(reply)).toEqual(methods)
  expect(reply.cookies).toEqual([])
})

test('HEAD is GET without the body', async () => {
  const got = await request.get('user/', { token })
  const headed = await request.call('HEAD', 'user/', undefined, { token })
  expect(headed).toMatchReply(200)
  expect(headed.headers['content-length']).toBe(got.headers['content-length'])
  expect(await request.call('HEAD', 'user/')).toMatchReply(401)
})

test('a header or a parameter does not turn one method into another', async () => {
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
    const options = { token, headers: { [name]: 'PATCH' } }
    expect((await request.post('user/', { first_name: 'Ada' }, options)).status).toBe(405)
    await request.call('GET', 'user/?_method=PATCH&first_name=Ada', undefined, options)
  }
  expect((await request.get('user/', { token })).body).toMatchObject({ first_name: '' })
  const options = { token, headers: { 'x-http-method-override': 'POST' } }
  expect((await request.get('logout/', options)).status).toBe(405)
  expect((await request.get('user/', { token })).status).toBe(200)
})

test('every path is served with and without its slash, never by a redirect', async () => {
  for (const slash of ['', '/']) {
    expect((await request.get(`csrf${slash}`)).status).toBe(200)
    expect((await request.get(`user${slash}`, { token })).status).toBe(200)
    expect((await request.patch(`user${slash}`, { first_name: 'A' }, { token })).status).toBe(200)
    expect((await request.get(`user${slash}?x=1`, { token })).status).toBe(200)
    const credentials = { username: 'ada', password: PASSWORD }
    expect(await request.post(`login${slash}`, credentials)).toMatchReply(200, KEY)
    expect(await request.post(`logout${slash}`)).toMatchReply(200, LOGGED_OUT)
  }
})

test.each([
  ['/'],
  ['/auth'],
  ['/auth/'],
  ['/login/'],
  ['/auth/zzz/login/'],
  ['/auth/xlogin/'],
  ['/auth/loginx/'],
  ['/auth/login/x'],
  ['/auth/login//'],
  ['/auth//login/'],
  ['/auth/LOGIN/'],
  ['/auth/login%2f'],
  ['/auth/login/%00'],
  ['/auth/%2e%2e/etc/passwd'],
  ['/auth/login/%'],
  ['/auth/%E0%A4%A'],
  ['/%ff'],
  [`/auth/${'a'.repeat(10_000)}/`],
  [`/auth/${'a/'.repeat(5_000)}`],
])('%.30s names nothing', async (path) => {
  const reply = await request.post(path, { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(404, NOT_FOUND)
  expect(reply.cookies).toEqual([])
  expect(reply.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': expect.stringMatching(/^application\/json/),
    'x-request-id': expect.stringMatching(/./),
  })
})

test('an unknown path is a 404, whatever is wrong with the body', async () => {
  const json = 'application/json'
  for (const path of ['/auth/nothing/', '/nothing']) {
    for (const [type, body] of [
      ['text/plain', 'x'],
      ['nonsense', 'x'],
      [json, '{bad'],
      [json, `"${'x'.repeat(70_000)}"`],
    ] as const) {
      expect(await request.post(path, body, { type }), type).toMatchReply(404, NOT_FOUND)
    }
  }
})

test.each([['/api/v1/accounts/'], ['/accounts'], ['/']])(
  'all of it moves to %s',
  async (prefix) => {
    const { request, createUser } = await startAuth({ AUTH_PREFIX: prefix })
    await createUser({ username: 'ada' })
    const credentials = { username: 'ada', password: PASSWORD }
    const path = `${prefix.replace(/\/$/, '')}/login`
    expect(await request.post(path, credentials)).toMatchReply(200, KEY)
    expect(await request.post(`${path}/`, credentials)).toMatchReply(200, KEY)
    expect(await request.post('/auth/login/', credentials)).toMatchReply(404, NOT_FOUND)
  },
)

const GET = 'GET /auth/csrf/ HTTP/1.1\r\nHost: localhost\r\n'
const POST = 'POST /auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

test.each([
  ['no request at all', 'hello\r\n\r\n', 400],
  ['a header that is folded', `${GET}X-A: b\r\n c\r\n\r\n`, 400],
  ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
  [
    'a length and chunks',
    `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ['a bad chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ['too much of a header', `${GET}X-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['too much of a path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431],
])('%s is answered in JSON, and the connection ends', async (_, bytes, status) => {
  const answer = await sendBytes(app, bytes)
  const detail = expect.stringMatching(/./)
  expect(readAnswer(answer)).toEqual({ status, body: { detail } })
  for (const line of [
    /^x-request-id: \w/im,
    /^cache-control: no-store/im,
    /^connection: close/im,
  ]) {
    expect(answer).toMatch(line)
  }
})

test('TRACE repeats nothing', async () => {
  const secret = 'Cookie: sessionid=secret\r\nConnection: close\r\n\r\n'
  const answer = await sendBytes(app, `TRACE /auth/login/ HTTP/1.1\r\nHost: localhost\r\n${secret}`)
  const body = { detail: 'Method "TRACE" not allowed.' }
  expect(readAnswer(answer)).toEqual({ status: 405, body })
  expect(answer).not.toContain('secret')
})

test.each(['PROPFIND', 'SEARCH', 'M-SEARCH', 'LOCK'])(
  '%s is a wrong method, too',
  async (method) => {
    const end = 'Host: localhost\r\nConnection: close\r\n\r\n'
    const answer = await sendBytes(app, `${method} /auth/login/ HTTP/1.1\r\n${end}`)
    const body = { detail: `Method "${method}" not allowed.` }
    expect(readAnswer(answer)).toEqual({ status: 405, body })
    expect(answer).toMatch(/^allow: OPTIONS, POST\r$/im)
  },
)

test('a wrong method is refused before the body is read', async () => {
  const head = 'Host: localhost\r\nConnection: close\r\nContent-Type: text/x-none\r\n'
  const answer = await sendBytes(
    app,
    `PUT /auth/login/ HTTP/1.1\r\n${head}Content-Length: 9\r\n\r\n`,
  )
  expect(readAnswer(answer).status).toBe(405)
})

test('other spellings of a letter change nothing', async () => {
  expect(allowedBy(await request.call('PUT', '/auth/%6cogin/'))).toEqual(METHODS['login/'])
})

test.each(['/', '/auth/'])('under %s every path says which methods it knows', async (prefix) => {
  const { request, app } = await startAuth({ AUTH_PREFIX: prefix })
  for (const path of [`${prefix}socialaccounts/1/disconnect`, `${prefix}login/`, '/healthz']) {
    expect((await request.call('OPTIONS', path)).status).toBe(204)
    expect((await request.call('PUT', path)).status).toBe(405)
    const end = 'Host: localhost\r\nConnection: close\r\n\r\n'
    const answer = await sendBytes(app, `PROPFIND ${path} HTTP/1.1\r\n${end}`)
    expect(readAnswer(answer).status).toBe(405)
  }
  expect((await request.call('PUT', `${prefix}nothing/`)).status).toBe(404)
  expect((await request.call('GET', `${prefix}passkeys/${'1'.repeat(2000)}/`)).status).toBe(404)
})

test('slow clients cannot hold the server', async () => {
  const { headersTimeout, requestTimeout } = app.server
  expect(headersTimeout).toBeGreaterThan(0)
  expect(headersTimeout).toBeLessThanOrEqual(10_000)
  expect(requestTimeout).toBeGreaterThan(0)
  expect(requestTimeout).toBeLessThanOrEqual(30_000)
})

const GETS = (count: number) => 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count)
const LAST_GET = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
const answersIn = (text: string) => text.split('HTTP/1.1 200').length - 1

test('a few requests may be sent ahead of their answers', async () => {
  expect(answersIn(await sendBytes(app, `${GETS(49)}${LAST_GET}`))).toBe(50)
})

test('a client that sends very many requests ahead is cut off', async () => {
  expect(answersIn(await sendBytes(app, `${GETS(999)}${LAST_GET}`))).toBeLessThan(100)
  expect(answersIn(await sendBytes(app, LAST_GET))).toBe(1)
})

test('a connection on which nothing happens is ended, be it before or after an answer', async () => {
  const { timeout } = app.server
  app.server.timeout = 100
  onTestFinished(() => {
    app.server.timeout = timeout
  })
  expect(await sendBytes(app, '')).toBe('')
  const answer = await sendBytes(app, `GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  expect(readAnswer(answer).status).toBe(200)
  expect(answer).toMatch(/^connection: keep-alive/im)
})

test.each(['/healthz', '/readyz', '/metrics', '/auth/openapi.json', '/auth/.well-known/jwks.json'])(
  '%s follows the path rules, too',
  async (path) => {
    for (const spelling of [path, `${path}/`]) {
      expect((await request.get(spelling)).status).toBe(200)
      const reply = await request.post(spelling, {})
      expect(reply).toMatchReply(405, { detail: 'Method "POST" not allowed.' })
      expect(allowedBy(reply)).toEqual(['GET', 'HEAD', 'OPTIONS'])
    }
  },
)
