import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import connect from 'connect'
import express from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import type { Auth, SettingsInput } from '../../src/index.ts'

/** Sends a request to a path of the host. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** A server of somebody else, in which the service is mounted. */
export type Host = {
  name: string
  /** Where the API and the hosted pages are. */
  api: string
  pages: string
  /** What the host must set, since its server does not say where the service is. */
  settings?: SettingsInput
  start(auth: Auth): Promise<Send>
}

/** What the host itself answers to a path that is not the service's. */
export const FROM_HOST = { from: 'the host' }

const AT_ROOT = { api: '/auth/', pages: '/account/' }
const AT_MEMBERS = { api: '/members/', pages: '/members/account/' }

export const hosts: Host[] = [
  {
    name: 'Fastify',
    ...AT_ROOT,
    async start({ fastify }) {
      const app = Fastify()
      app.setNotFoundHandler(async (_, reply) => reply.status(404).send(FROM_HOST))
      await app.register(fastify)
      return listening(app)
    },
  },
  {
    name: 'Fastify, at a path of its own',
    api: '/v1/members/',
    pages: '/v1/account/',
    async start({ fastify }) {
      const app = Fastify()
      app.setNotFoundHandler(async (_, reply) => reply.status(404).send(FROM_HOST))
      await app.register(async (v1) => void v1.register(fastify, { prefix: '/members' }), {
        prefix: '/v1',
      })
      return listening(app)
    },
  },
  {
    name: 'Express',
    ...AT_ROOT,
    start: (auth) => serving(express().use(auth.express).use(fromHost)),
  },
  {
    name: 'Express, at a path of its own',
    ...AT_MEMBERS,
    start: (auth) => serving(express().use('/members', auth.express).use(fromHost)),
  },
  {
    name: 'Express, in a router and after all of its parsers',
    api: '/v1/members/',
    pages: '/v1/members/account/',
    settings: { AUTH_PREFIX: '/v1/members/', PAGES_PREFIX: '/v1/members/account/' },
    start(auth) {
      const parsers = [
        express.json(),
        express.urlencoded({ extended: true }),
        express.text(),
        express.raw({ type: 'multipart/form-data' }),
      ]
      const v1 = express.Router().use('/members', auth.express)
      return serving(express().use(parsers).use('/v1', v1).use(fromHost))
    },
  },
  {
    name: 'Express 4, after its parsers',
    ...AT_MEMBERS,
    start: (auth) =>
      serving(
        express4()
          .use(express4.json(), express4.urlencoded({ extended: false }))
          .use('/members', auth.express)
          .use(fromHost),
      ),
  },
  {
    name: 'Connect',
    ...AT_MEMBERS,
    start: (auth) => serving(connect().use('/members', auth.express).use(fromHost)),
  },
  {
    name: 'node:http',
    ...AT_ROOT,
    start: (auth) => serving((request, response) => auth.express(request, response)),
  },
  {
    name: 'fetch',
    ...AT_ROOT,
    start: async (auth) => (path, init) =>
      auth.fetch(new Request(`http://localhost:8000${path}`, init), { address: '192.0.2.1' }),
  },
]

export const fromHost: RequestListener = (_request, response) => {
  response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(FROM_HOST))
}

/** Listens until the end of the test. */
export async function serving(listener: RequestListener): Promise<Send> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init)
}

export async function listening(app: ReturnType<typeof Fastify>): Promise<Send> {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  return (path, init) => fetch(`${url}${path}`, init)
}
