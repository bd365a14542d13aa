import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { embed } from '../../support/embed.ts'

/** A Fastify whose hook refuses every request, as plugins for rate limits and overloads do. */
async function startHost(refusal: object) {
  const { auth } = await embed({ MODULES: ['registration', 'pages', 'admin'] })
  const host = Fastify()
  onTestFinished(() => host.close())
  host.addHook('onRequest', async () => {
    throw Object.assign(new Error('the host says no'), refusal)
  })
  host.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.status(error.statusCode ?? 500).send({ from: 'the host', text: error.message }),
  )
  await host.register(auth.fastify)
  await host.register(auth.adminFastify)
  return host
}

test.for([
  { statusCode: 401 },
  { statusCode: 403, code: 'FST_CSRF_MISSING_SECRET' },
  { statusCode: 429 },
  { statusCode: 403, code: 42 },
  { statusCode: 503, code: 'FST_UNDER_PRESSURE' },
])('what a hook of the host refuses, the host answers: %o', async (refusal) => {
  const host = await startHost(refusal)
  for (const url of ['/auth/user/', '/auth/nothing/', '/account/', '/admin/api/users/']) {
    const answer = await host.inject({ method: 'GET', url, headers: { accept: 'text/html' } })
    expect([url, answer.statusCode]).toEqual([url, refusal.statusCode])
    expect(answer.json()).toEqual({ from: 'the host', text: 'the host says no' })
  }
})

test('an error that names no status stays an internal one', async () => {
  const host = await startHost({})
  const answer = await host.inject({ method: 'GET', url: '/auth/user/' })
  expect([answer.statusCode, answer.body]).toEqual([500, '{"detail":"Internal server error."}'])
})

test('a client that disconnects during its request is no error of the host', async () => {
  const { auth } = await embed()
  const host = Fastify()
  onTestFinished(() => host.close())
  const seen: unknown[] = []
  host.setErrorHandler((error, _request, reply) => {
    seen.push(error)
    return reply.send({})
  })
  const ended = new Promise<void>((resolve) => {
    host.addHook('onError', async () => setTimeout(resolve, 50))
  })
  await host.register(auth.fastify)
  const begun = new Promise<void>((resolve) => {
    host.server.on('request', () => resolve())
  })
  await host.listen({ port: 0, host: '127.0.0.1' })
  const client = connect((host.server.address() as AddressInfo).port, '127.0.0.1')
  await once(client, 'connect')
  client.write(
    'POST /auth/login/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  )
  await begun
  await new Promise((resolve) => setTimeout(resolve, 100))
  client.destroy()
  await ended
  expect(seen).toEqual([])
})
