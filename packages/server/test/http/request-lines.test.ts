import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { pino } from 'pino'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { createMetrics } from '../../src/core/metrics.ts'
import { serializers } from '../../src/server/logger.ts'
import { createRequestLog } from '../../src/server/request-log.ts'
import { startAdmin } from '../support/admin.ts'
import { readAnswer, sendBytes } from '../support/socket.ts'
import { startAuth } from '../support/start-auth.ts'

const lines: Record<string, unknown>[] = []
const onLogLine = (line: string) => lines.push(JSON.parse(line))
const { app } = await startAuth({}, { atTheEnd: afterAll, onLogLine })

const requestLines = () => lines.filter(({ msg }) => msg === 'request')

test.each([
  ['a path that is known', 'GET', '/auth/user/', 401, '/auth/user/'],
  ['a method that the path does not know', 'PROPFIND', '/auth/user?x=1', 405, '/auth/user/'],
  ['one with a parameter', 'POST', '/auth/passkeys/secret/', 405, '/auth/passkeys/:id/'],
  ['a path that is not', 'GET', '/auth/nothing/', 404, 'unknown'],
  ['a path that cannot be decoded', 'GET', '/auth/%zz/', 404, 'unknown'],
  ['a whole URL', 'DELETE', 'http://%ff@a/auth/user/?x=1', 405, '/auth/user/'],
  ['one of a path that is not known', 'GET', 'http://%ff@a/auth/nothing/', 404, 'unknown'],
  ['one without a path', 'DELETE', 'http://%ff@a?x=%ff', 404, 'unknown'],
  ['one that cannot be decoded', 'GET', 'http://a/auth/%ff/', 404, 'unknown'],
  ['one of another scheme', 'GET', 'ftp://%ff@a/auth/user/', 404, 'unknown'],
  ['a method that is not one', 'HELLO', '/auth/user/', 400, 'unknown'],
])('%s has its line', async (_, method, path, status, route) => {
  lines.length = 0
  const bytes = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
  const answer = await sendBytes(app, bytes)
  expect(answer).toMatch(/^content-type: application\/json\r$/im)
  const reqId = /^x-request-id: (\S+)/im.exec(answer)?.[1]
  expect(requestLines()).toEqual([expect.objectContaining({ level: 30, reqId, route, status })])
})

test.each([
  ['an endpoint', '/auth/user/', '/auth/user/'],
  ['an operation', '/healthz', '/healthz'],
  ['an unknown path', '/nothing', 'unknown'],
])('a request to %s without a Host is refused as any other', async (_, path, route) => {
  lines.length = 0
  const head = `GET ${path} HTTP/1.1\r\nConnection: close\r\n`
  const answer = await sendBytes(app, `${head}X-Request-Id: mine\r\n\r\n`)
  expect(readAnswer(answer)).toEqual({ status: 400, body: { detail: 'Bad request.' } })
  expect(answer).toMatch(/^content-type: application\/json\r$/im)
  expect(answer).toMatch(/^cache-control: no-store\r$/im)
  expect(answer).toMatch(/^x-request-id: mine\r$/im)
  const reqId = 'mine'
  expect(requestLines()).toEqual([expect.objectContaining({ reqId, route, status: 400 })])
})

test('the listener of the admin API refuses it, too', async () => {
  const { adminApp } = await startAdmin()
  const head = 'GET /admin/api/users/ HTTP/1.1\r\nConnection: close\r\n\r\n'
  const answer = await sendBytes(adminApp, head)
  expect(readAnswer(answer)).toEqual({ status: 400, body: { detail: 'Bad request.' } })
  expect(answer).toMatch(/^x-request-id: \S+/im)
})

test('HTTP/1.0 needs no Host', async () => {
  const answer = await sendBytes(app, 'GET /auth/user/ HTTP/1.0\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
})

test('an expectation that nobody has heard of is answered as ever', async () => {
  const head = 'GET /auth/user/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'
  const answer = await sendBytes(app, `${head}Expect: miracles\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  expect(answer).toMatch(/^x-request-id: \S+/im)
})

test('a line is exactly what the logger would write', async () => {
  const written: string[] = []
  const log = pino({ serializers }, { write: (line) => written.push(line) })
  const fields = { method: 'GET', route: '/auth/"ü"/', status: 200 }
  const reqId = 'a.b:c/d+e=f-1'
  createRequestLog(log, createMetrics(), () => undefined).note({ ...fields, id: reqId, ms: 1.26 })
  log.child(fields).info({ reqId, ms: 1.3 }, 'request')
  const [ours, theirs] = written.map((line) => line.replace(/"time":\d+/, '"time":0'))
  expect(ours).toBe(theirs)
})

test('the connection of a malformed request ends, even if its client goes on sending', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  onTestFinished(() => void client.destroy())
  const [socket] = await once(app.server, 'connection')
  client.resume().write('NO REQUEST\r\n\r\n')
  await once(client, 'end')
  client.write('x')
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(2000)
  expect(socket.destroyed).toBe(true)
})

test('a client that goes away in the middle of its request is no fault of ours', async () => {
  lines.length = 0
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const head = 'POST /auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  socket.write(`${head}Content-Length: 100\r\n\r\n{"user`)
  const [incoming] = await once(app.server, 'request')
  const ended = new Promise((resolve) => incoming.once('close', resolve))
  socket.destroy()
  await ended
  // When the next request is answered, the log line of this one is written.
  await sendBytes(app, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([])
})
