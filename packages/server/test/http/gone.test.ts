import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
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
