import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createAuth } from '../../src/index.ts'

const FRONT_END = 'https://app.example'

/** Somebody's server, in which the service has a path of its own and further ones elsewhere. */
async function startHost(prefix: string) {
  const auth = await createAuth({
    SECRET_KEY: 'a secret key for tests only, long enough',
    DATABASE_URL: 'sqlite::memory:',
    CORS_ALLOWED_ORIGINS: [FRONT_END],
    LOG_LEVEL: 'silent',
    ACCOUNT: { EMAIL_VERIFICATION: 'none' },
    ROUTES: { 'registration/': '/api/register/', 'login/': ['signin/', '/api/login/'] },
  })
  const host = Fastify()
  host.setNotFoundHandler(async (_, reply) => reply.status(404).send({ from: 'the host' }))
  host.setErrorHandler(async (_, __, reply) => reply.status(500).send({ from: 'the host' }))
  host.get('/api/page', async () => ({ from: 'the host' }))
  host.post('/api/echo', async ({ body }) => body)
  await host.register(auth.fastify, { prefix })
  onTestFinished(() => host.close())
  return host
}

test.each(['', '/auth', '/members'])(
  'mounted under "%s", all paths of ROUTES are served',
  async (prefix) => {
    const host = await startHost(prefix)
    const password = 'Nn-5566-yy-lantern'
    const account = {
      username: 'ada',
      email: 'ada@example.com',
      password1: password,
      password2: password,
    }
    const post = (url: string, payload: object, headers = {}) =>
      host.inject({ method: 'POST', url, payload, headers })

    expect((await post('/api/register/', account)).statusCode).toBe(201)
    for (const url of [`${prefix}/login/`, `${prefix}/signin`, '/api/login/', '/api/login']) {
      const reply = await post(url, { username: 'ada', password }, { origin: FRONT_END })
      expect(reply.statusCode, url).toBe(200)
      expect(reply.headers['access-control-allow-origin']).toBe(FRONT_END)
      expect(reply.headers['cache-control']).toBe('no-store')
      const form = await host.inject({
        method: 'POST',
        url,
        payload: 'username=ada&password=wrong',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(form.json()).toHaveProperty('non_field_errors')
      const refused = await host.inject({ method: 'DELETE', url })
      expect([refused.statusCode, refused.headers.allow]).toEqual([405, 'OPTIONS, POST'])
    }
  },
)

test('what is the host’s stays the host’s', async () => {
  const host = await startHost('/auth')
  const page = await host.inject({ method: 'GET', url: '/api/page' })
  expect(page.json()).toEqual({ from: 'the host' })
  expect(page.headers).not.toHaveProperty('x-frame-options')
  const echo = await host.inject({ method: 'POST', url: '/api/echo', payload: { a: 1 } })
  expect(echo.json()).toEqual({ a: 1 })
  for (const url of ['/api/nothing', '/nothing/']) {
    expect((await host.inject({ method: 'GET', url })).json()).toEqual({ from: 'the host' })
  }
})
