import connect from 'connect'
import express, { type Express } from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Auth, SettingsInput } from '../../../src/index.ts'
import { callerOf, embed, QUIET, SIGNUP } from '../../support/embed.ts'
import { fromHost, type Send, serving } from '../../support/hosts.ts'

const MEMBERS = { api: '/members/' }
const AT_MEMBERS = { AUTH_PREFIX: '/members/', PAGES_PREFIX: '/members/account/' }

/** A service whose warnings are kept. */
async function start(settings: SettingsInput = {}) {
  const warnings: string[] = []
  const warn = (_fields: object, text: string) => void warnings.push(text)
  return { ...(await embed(settings, { log: { ...QUIET, warn } })), warnings }
}

/** Hosts that have put the service at `/members`, and the settings that this takes. */
const AT: Record<string, { settings?: SettingsInput; start(auth: Auth): Promise<Send> }> = {
  Express: { start: (auth) => serving(express().use('/members', auth.express)) },
  'Express 4': { start: (auth) => serving(express4().use('/members/', auth.express)) },
  Connect: { start: (auth) => serving(connect().use('/members', auth.express)) },
  'a router of Express': {
    settings: AT_MEMBERS,
    start: (auth) => serving(express().use('/members', express.Router().use(auth.express))),
  },
  'Connect in Connect': {
    settings: AT_MEMBERS,
    start: (auth) => serving(connect().use('/members', connect().use(auth.express))),
  },
  'node:http': { settings: AT_MEMBERS, start: (auth) => serving(auth.express) },
}

test.each(Object.keys(AT))('%s: the spelling of a request decides nothing', async (name) => {
  const host = AT[name]
  const { auth, link, warnings } = await start(host?.settings)
  const send = (await host?.start(auth)) as Send
  const { get, post } = callerOf(send, MEMBERS)
  // Whoever comes first, and however they write it.
  const status = name === 'node:http' ? 404 : 200
  expect((await get('/MeMbErS/csrf/')).status).toBe(status)
  expect((await get('openapi.json')).body.servers).toEqual([
    { url: 'http://localhost:8000/members/' },
  ])
  expect((await post('registration/', SIGNUP)).status).toBe(201)
  expect(await link('/confirm/')).toContain('http://localhost:8000/members/account/confirm/')
  const page = await get('/members/account/login/', { accept: 'text/html' })
  expect(page.body).toContain('"api":"/members/"')
  expect(warnings).toEqual([])
})

test.each([
  ['/auth/', '/members', '/auth/token/refresh/', '/members/token/refresh/'],
  ['/auth/', '/members', '/auth', '/members/'],
  ['/auth/', '/members', '/authors/', '/authors/'],
  ['/auth/', '/members', '/', '/'],
  ['/', '/members', '/token/refresh/', '/members/token/refresh/'],
  ['/api/auth/', '/members', '/api', '/members/'],
  ['/api/auth/', '/api/members', '/api/', '/api/'],
  ['/auth/', '/members', '/api/refresh/', '/members/api/refresh/'],
  ['/auth/', '/members', '/api/refresher/', '/api/refresher/'],
  // It names the place already.
  ['/', '/members', '/members/token/refresh/', '/members/token/refresh/'],
  ['/auth/', '/auth/v2', '/auth/v2/', '/auth/v2/'],
  ['/auth/', '/auth', '/auth', '/auth'],
])('from %s to %s, a cookie for %s is for %s', async (AUTH_PREFIX, place, path, shown) => {
  const { auth } = await start({
    AUTH_PREFIX,
    ROUTES: { 'token/refresh/': '/api/refresh/' },
    REST_AUTH: {
      ...{ USE_JWT: true, SESSION_LOGIN: false, JWT_AUTH_COOKIE: 'access' },
      ...{ JWT_AUTH_REFRESH_COOKIE: 'refresh', JWT_AUTH_REFRESH_COOKIE_PATH: path },
    },
  })
  const send = await serving(express().use(place, auth.express))
  const { setCookies } = await callerOf(send, { api: `${place}/` }).post('registration/', SIGNUP)
  expect(setCookies.find((one) => one.startsWith('refresh='))).toContain(`Path=${shown};`)
})

test('an app in an app of Express knows its whole path', async () => {
  const { auth, link } = await start()
  const inner = express().use('/members', auth.express)
  const { post, get } = callerOf(await serving(express().use('/v1', inner)), {
    api: '/v1/members/',
  })
  expect((await post('registration/', SIGNUP)).status).toBe(201)
  expect(await link('/confirm/')).toContain('http://localhost:8000/v1/members/account/confirm/')
  expect((await get('user/')).status).toBe(200)
})

const ELSEWHERE: Record<string, (auth: Auth) => Promise<Send>> = {
  'a router of Express': (auth) =>
    serving(express().use(express.Router().use('/members', auth.express)).use(fromHost)),
  'a function around it': (auth) =>
    serving(
      express().use('/members', (request, response, next) => auth.express(request, response, next)),
    ),
  'Connect in Connect': (auth) =>
    serving(connect().use('/members', connect().use(auth.express)).use(fromHost)),
  'node:http': (auth) => serving((request, response) => auth.express(request, response)),
  fetch: async (auth) => (path, init) =>
    auth.fetch(new Request(`http://localhost:8000${path}`, init), { address: '192.0.2.1' }),
}

test.each(Object.keys(ELSEWHERE))(
  '%s: a request from a place that nobody named is a 404, and the log says what to set',
  async (name) => {
    const { auth, warnings } = await start()
    const send = (await ELSEWHERE[name]?.(auth)) as Send
    const { get, post } = callerOf(send, MEMBERS)
    for (const path of ['csrf/', 'user/?a=b', 'csrf/']) {
      const { status, body } = await get(path)
      expect([path, status, body]).toEqual([path, 404, { detail: 'Not found.' }])
    }
    expect((await post('registration/', SIGNUP)).setCookies).toEqual([])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('AUTH_PREFIX to "/members/"')
    // What is asked for by mistake alone is no sign of another place.
    const quiet = await start()
    const other = (await ELSEWHERE['node:http']?.(quiet.auth)) as Send
    expect((await other('/favicon.ico')).status).toBe(404)
    expect(quiet.warnings).toEqual([])
  },
)

test('a second place is an error when it is mounted, and the first stays', async () => {
  const { auth } = await start()
  const app = express().use('/members', auth.express)
  expect(() => app.use('/members', auth.express)).not.toThrow()
  const message = /mounted at \/members\/ already.*\/staff\/.*createAuth/
  expect(() => express().use('/staff', auth.express)).toThrow(message)
  expect(() => connect().use('/staff', auth.express)).toThrow(message)
  await expect(Fastify().register(auth.fastify, { prefix: '/staff' })).rejects.toThrow(message)
  const { get } = callerOf(await serving(app), MEMBERS)
  expect((await get('user/')).status).toBe(401)
  expect((await get('openapi.json')).body.servers).toEqual([
    { url: 'http://localhost:8000/members/' },
  ])
})

test('only a plain path is a place', async () => {
  const { auth } = await start()
  const wrong: Parameters<Express['use']>[0][] = [/^\/m/, ['/a', '/b'], '/:tenant', '/a b']
  for (const path of wrong) {
    expect(() => express().use(path, auth.express)).toThrow(/one plain path/)
  }
  const { get } = callerOf(await serving(express().use('/members', auth.express)), MEMBERS)
  expect((await get('user/')).status).toBe(401)
})
