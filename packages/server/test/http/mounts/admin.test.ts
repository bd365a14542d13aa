import connect from 'connect'
import express from 'express'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { fromBase32, hotp } from '../../../src/crypto/totp.ts'
import type { SettingsInput } from '../../../src/index.ts'
import { callerOf, embed, PAGE, PASSWORD } from '../../support/embed.ts'
import { FROM_HOST, fromHost, type Host, hosts, listening, serving } from '../../support/hosts.ts'

const ORIGIN = 'https://admin.example'
const SETTINGS: SettingsInput = { MODULES: ['mfa', 'pages', 'admin'], ADMIN_PUBLIC_URL: ORIGIN }
const FROM_PAGES = { origin: ORIGIN }

const adminHosts: Omit<Host, 'settings'>[] = [
  {
    name: 'Fastify',
    api: '/admin/api/',
    pages: '/admin/',
    async start(auth) {
      const app = Fastify()
      await app.register(auth.fastify)
      await app.register(auth.adminFastify)
      return listening(app)
    },
  },
  {
    name: 'Fastify, at a path of its own',
    api: '/v1/ops/api/',
    pages: '/v1/ops/',
    async start(auth) {
      const app = Fastify()
      await app.register(async (v1) => void v1.register(auth.adminFastify, { prefix: '/ops' }), {
        prefix: '/v1',
      })
      return listening(app)
    },
  },
  {
    name: 'Express',
    api: '/admin/api/',
    pages: '/admin/',
    start: (auth) => serving(express().use(auth.express, auth.adminExpress).use(fromHost)),
  },
  {
    name: 'Express, at a path of its own and after a parser',
    api: '/ops/api/',
    pages: '/ops/',
    start: (auth) =>
      serving(express().use(express.json()).use('/ops', auth.adminExpress).use(fromHost)),
  },
  {
    name: 'Connect',
    api: '/ops/api/',
    pages: '/ops/',
    start: (auth) => serving(connect().use('/ops', auth.adminExpress).use(fromHost)),
  },
  {
    name: 'node:http',
    api: '/admin/api/',
    pages: '/admin/',
    start: (auth) => serving((request, response) => auth.adminExpress(request, response)),
  },
  {
    name: 'fetch',
    api: '/admin/api/',
    pages: '/admin/',
    start: async (auth) => (path, init) =>
      auth.adminFetch(new Request(`${ORIGIN}${path}`, init), { address: '192.0.2.1' }),
  },
]

describe.each(adminHosts)('the admin API in $name', (host) => {
  test('answers operators with a second factor, from its own pages alone', async () => {
    const { auth } = await embed(SETTINGS)
    const account = { username: 'grace', email: 'grace@example.com', verified: true }
    const grace = { ...account, password: PASSWORD, is_superuser: true }
    const { pk } = await auth.admin.users.create(grace)
    const { call, get, post } = callerOf(await host.start(auth), host)

    const page = await get(host.pages, PAGE)
    expect(page.status).toBe(200)
    expect(page.body).toContain(`"api":"${host.api}"`)
    const { servers } = (await get('openapi.json')).body
    expect(servers).toEqual([{ url: `${ORIGIN}${host.api}` }])
    expect((await get('users/')).status).toBe(401)

    const login = { username: 'grace', password: PASSWORD }
    const foreign = await post('login/', login, { origin: 'https://evil.example' })
    expect([foreign.status, foreign.setCookies]).toEqual([403, []])
    const first = await post('login/', login, FROM_PAGES)
    expect([first.status, first.body]).toEqual([200, { mfa_setup_required: true }])
    expect(first.setCookies.join()).toContain(`Path=${host.pages};`)
    expect((await get('users/')).status).toBe(403)
    const { secret, activation_token } = (await get('mfa/totp/activate/')).body
    const code = hotp(fromBase32(secret), Math.floor(Date.now() / 30_000), 6)
    const proof = await post('mfa/totp/activate/', { activation_token, code }, FROM_PAGES)
    expect(proof.status).toBe(200)

    const list = await get('users/?q=GRACE')
    expect(list.body).toMatchObject({ results: [{ pk, username: 'grace' }], next: null })
    const made = { username: 'ada' }
    expect((await post('users/', made, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post('users/', made, FROM_PAGES)).status).toBe(201)
    expect((await call('DELETE', 'users/')).status).toBe(405)
    expect((await get('nothing/')).body).toEqual({ detail: 'Not found.' })
    expect((await get('/auth/user/')).body).not.toMatchObject({ username: 'grace' })
  })
})

describe.each(hosts)('the public API in $name', (host) => {
  test('never answers for the admin API', async () => {
    const { auth } = await embed({ ...SETTINGS, ...host.settings })
    const { get } = callerOf(await host.start(auth), host)
    const isHost = !['node:http', 'fetch'].includes(host.name)
    for (const path of ['/admin/', '/admin/api/session/', '/admin/api/openapi.json']) {
      const { status, body } = await get(path)
      expect([path, status, body]).toEqual([
        path,
        404,
        isHost ? FROM_HOST : { detail: 'Not found.' },
      ])
    }
    for (const path of ['admin/', 'admin/api/session/', 'api/session/']) {
      expect((await get(path)).status, path).toBe(404)
    }
  })
})

test('without the module, every mount of the admin API is refused', async () => {
  const { auth } = await embed({ MODULES: ['mfa'] })
  const off = 'The module admin is off. Add it to MODULES.'
  await expect(Fastify().register(auth.adminFastify).ready()).rejects.toThrow(off)
  expect(() => express().use('/admin', auth.adminExpress)).toThrow(off)
  const request = new Request('http://localhost/admin/api/session/')
  await expect(auth.adminFetch(request, { address: '192.0.2.1' })).rejects.toThrow(off)
})

test('it has one place, and a path that works', async () => {
  const { auth } = await embed(SETTINGS)
  const twice = express().use('/ops', auth.adminExpress)
  expect(() => twice.use('/other', auth.adminExpress)).toThrow('is mounted at /ops/ already')
  const wrong = await embed(SETTINGS)
  const ready = Fastify().register(wrong.auth.adminFastify, { prefix: '/a b' }).ready()
  await expect(ready).rejects.toThrow('AUTH_PREFIX')
})
