import Fastify, { type FastifyServerOptions } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createAuth } from '../../src/index.ts'

/** A host server with its own page and not-found handler. */
async function startHost(prefix: string, options: FastifyServerOptions = {}) {
  const auth = await createAuth({
    SECRET_KEY: 'a secret key for tests only, long enough',
    DATABASE_URL: 'sqlite::memory:',
    CORS_ALLOWED_ORIGINS: ['https://app.example'],
    LOG_LEVEL: 'silent',
  })
  const host = Fastify(options)
  host.setNotFoundHandler(async (_, reply) => reply.status(404).send({ from: 'the host' }))
  host.get('/page', async () => ({ from: 'the host' }))
  await host.register(auth.fastify, { prefix })
  onTestFinished(() => host.close())
  return host
}

test.each([
  ['no prefix', '', { from: 'the host' }, {}],
  ['a prefix', '/auth', { detail: 'Not found.' }, {}],
  ['a slash ignored', '', { from: 'the host' }, { routerOptions: { ignoreTrailingSlash: true } }],
  ['both', '/auth', { detail: 'Not found.' }, { routerOptions: { ignoreTrailingSlash: true } }],
])(
  'mounted with %s, its paths say which methods they know',
  async (_, prefix, notFound, options) => {
    const host = await startHost(prefix, options)
    for (const path of ['login/', 'login', 'openapi.json']) {
      const url = `${prefix}/${path}`
      const refused = await host.inject({ method: 'DELETE', url })
      expect(refused.statusCode).toBe(405)
      expect(refused.json()).toEqual({ detail: 'Method "DELETE" not allowed.' })
      const asked = await host.inject({ method: 'OPTIONS', url })
      expect([asked.statusCode, asked.headers.allow]).toEqual([204, refused.headers.allow])
    }
    const { headers } = await host.inject({ method: 'DELETE', url: `${prefix}/login/` })
    expect(headers.allow).toBe('OPTIONS, POST')

    const nothing = await host.inject({ method: 'GET', url: `${prefix}/nothing/` })
    expect([nothing.statusCode, nothing.json()]).toEqual([404, notFound])
    // The routes of the host are not affected.
    expect((await host.inject({ method: 'GET', url: '/page' })).json()).toEqual({
      from: 'the host',
    })
    expect((await host.inject({ method: 'DELETE', url: '/page' })).statusCode).toBe(404)
  },
)

test.each(['', '/auth'])('mounted under "%s", a preflight is answered', async (prefix) => {
  const host = await startHost(prefix)
  const preflight = await host.inject({
    method: 'OPTIONS',
    url: `${prefix}/login/`,
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.statusCode).toBe(204)
  expect(preflight.headers['access-control-allow-origin']).toBe('https://app.example')
})
