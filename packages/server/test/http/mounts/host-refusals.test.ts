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
