import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Pair } from '../support/jwt.ts'
import { PASSWORD, startAuth } from '../support/start-auth.ts'

const started = await startAuth({}, { atTheEnd: afterAll })

test('a request passes only the hooks that it needs', () => {
  const listed = started.app.printRoutes({ includeHooks: true })
  const hooks = [...listed.matchAll(/• \((\w+)\) (\[.*\])/g)].map(([, kind, functions = '']) => ({
    kind,
    names: JSON.parse(functions) as string[],
  }))
  // Fastify removes the bodies of answers to HEAD.
  const ours = hooks.filter(({ names }) => !names.includes('headRouteOnSendHandler()'))
  // A missing Host, the headers of the answer and, for endpoints, admission. Then the
  // home page.
  expect([...new Set(ours.map(({ kind, names }) => `${kind} ${names.length}`))].toSorted()).toEqual(
    ['onRequest 2', 'onRequest 3', 'preHandler 1'],
  )
})

test('its answer has few headers, which are written at once', async () => {
  const token = await started.createUserWithToken('ada')
  const writeHead = vi.spyOn(ServerResponse.prototype, 'writeHead')
  await started.request.get('user/', { token })
  const heads = writeHead.mock.calls
  vi.restoreAllMocks()
  expect(heads).toEqual([[200, expect.anything()]])
  expect(Object.keys(heads[0]?.[1] as object).toSorted()).toEqual([
    'cache-control',
    'content-length',
    'content-security-policy',
    'content-type',
    'referrer-policy',
    'x-content-type-options',
    'x-frame-options',
    'x-request-id',
  ])
})

/** Requests on one connection, without a promise of their own. */
async function openConnection({ app }: Awaited<ReturnType<typeof startAuth>>) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return (headers: Record<string, string>, onAnswer: (text: string) => void) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET /auth/user/ HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`)
    socket.once('data', (bytes) => onAnswer(String(bytes)))
  }
}

test('an answer is written as one text', async () => {
  const token = await started.createUserWithToken('barbara')
  const write = vi.spyOn(Socket.prototype, '_write')
  const writev = vi.spyOn(Socket.prototype as Required<Socket>, '_writev')
  const send = await openConnection(started)
  const answer = await new Promise<string>((resolve) =>
    send({ authorization: `Token ${token}` }, resolve),
  )
  const written = write.mock.calls.map(([text]) => String(text))
  const lists = writev.mock.calls
  vi.restoreAllMocks()
  expect(answer).toContain('"username":"barbara"')
  // The request of this test, and the answer.
  expect(written).toEqual([expect.stringMatching(/^GET /), answer])
  expect(lists).toEqual([])
})

test('each answer has one listener of ours', async () => {
  const token = await started.createUserWithToken('grace')
  const send = await openConnection(started)
  const on = vi.spyOn(ServerResponse.prototype, 'on')
  await new Promise<string>((resolve) => send({ authorization: `Token ${token}` }, resolve))
  const events = on.mock.calls.map(([event]) => event)
  vi.restoreAllMocks()
  // For Node itself, for the connections of the server, and two of Fastify.
  expect(events).toEqual(['finish', 'close', 'finish', 'error'])
})

/**
 * How many promises a request makes: a count that no clock disturbs, and that grows with each step
 * that waits. The least of several requests counts, since timers make promises, too.
 */
async function promisesOf(
  service: Awaited<ReturnType<typeof startAuth>>,
  headers: Record<string, string>,
): Promise<number> {
  const send = await openConnection(service)
  let made = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') made += 1
    },
  })
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 10; round++) {
    const answer = await new Promise<string>((resolve) => {
      hook.enable()
      made = 0
      send(headers, (text) => {
        hook.disable()
        resolve(text)
      })
    })
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    least = Math.min(least, made)
  }
  return least
}

test('a request makes few promises', async () => {
  const token = await started.createUserWithToken('edsger')
  const byToken = await promisesOf(started, { authorization: `Token ${token}` })

  const service = await startAuth({
    REST_AUTH: { USE_JWT: true, SESSION_LOGIN: true, JWT_AUTH_HTTPONLY: false },
  })
  await service.createUser({ username: 'ada' })
  const login = { username: 'ada', password: PASSWORD }
  const { body, cookies } = await service.request.post('login/', login)
  const { access } = body as Pair
  const byJwt = await promisesOf(service, { authorization: `Bearer ${access}` })
  const session = cookies.find(({ name }) => name === 'sessionid')?.value
  const bySession = await promisesOf(service, { cookie: `sessionid=${session}` })

  // Newer versions of V8 make fewer of them.
  expect(byToken).toBeLessThanOrEqual(16)
  expect(byJwt).toBeLessThanOrEqual(18)
  expect(bySession).toBeLessThanOrEqual(13)
})
