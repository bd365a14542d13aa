import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, { type FastifyReply } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { addErrorHandler } from '../../src/http/error-handler.ts'
import { goneSignal } from '../../src/http/request.ts'
import { buildOwnApp } from '../../src/library/build-own-app.ts'
import { startAuth } from '../support/start-auth.ts'

/** A server that answers when told to, and the signal of its one request. */
async function startServer() {
  const app = Fastify()
  let answer = () => {}
  const signal = new Promise<AbortSignal>((resolve) => {
    app.get('/', (_, reply) => {
      resolve(goneSignal(reply))
      answer = () => void reply.send('done')
    })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  return { client, signal: await signal, answer: () => answer() }
}

test.each(['end', 'destroy'] as const)('a client that goes (%s) is noticed', async (verb) => {
  const { client, signal } = await startServer()
  expect(signal.aborted).toBe(false)
  client[verb]()
  await once(signal, 'abort')
})

test('a client that has its answer has not gone', async () => {
  const { client, signal, answer } = await startServer()
  client.resume()
  answer()
  await once(client, 'close')
  expect(signal.aborted).toBe(false)
})

/** Two requests in one packet. The answers, and the signal of each when it is asked for. */
async function sendAhead() {
  const app = Fastify()
  const replies: FastifyReply[] = []
  const bothCame = new Promise<void>((resolve) => {
    app.get('/', (_, reply) => {
      if (replies.push(reply) === 2) resolve()
    })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2))
  await bothCame
  const [first, second] = replies as [FastifyReply, FastifyReply]
  return { client, first, second }
}

test('that a client goes is noticed for requests that it sent ahead, too', async () => {
  const { client, first, second } = await sendAhead()
  const signals = [goneSignal(first), goneSignal(second)]
  const noticed = Promise.all(signals.map((signal) => once(signal, 'abort')))
  client.destroy()
  await noticed
  // So it is if the signal is asked for only now.
  expect(goneSignal(second).aborted).toBe(true)
})

test('a request that was sent ahead leaves nothing on its connection', async () => {
  const { client, first, second } = await sendAhead()
  const { socket } = second.raw.req
  const before = socket.listenerCount('close')
  const signal = goneSignal(second)
  const answered = once(second.raw, 'close')
  client.resume()
  first.send('done')
  second.send('done')
  await answered
  expect(signal.aborted).toBe(false)
  // Nor does Node wait for the first answer any more.
  expect(socket.listenerCount('close')).toBe(before - 1)
})

test('a stream that nobody waits for any more is closed, and that is no fault of ours', async () => {
  const lines: string[] = []
  const { auth } = await startAuth({}, { onLogLine: (line) => lines.push(line) })
  const leaving = new AbortController()
  const stream = Readable.from(['a', 'b'])
  const closed = once(stream, 'close')
  const { simulate } = await buildOwnApp(auth, async (app) => {
    addErrorHandler(app, auth)
    app.get('/', async () => {
      leaving.abort()
      return stream
    })
  })
  const answer = simulate({ url: 'http://localhost/', signal: leaving.signal })
  await expect(answer).rejects.toThrow('destroyed')
  await closed
  expect(lines).toEqual([])
})
