import connect from 'connect'
import express from 'express'
import express4 from 'express4'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { onTestFinished } from 'vitest'
import { type Auth, type AuthUser, RequestRefused } from '../../src/index.ts'
import { type Send, serving } from './hosts.ts'

/**
 * A server with the service in it, and routes of its own: `/who` asks `identify`, `/with`, `/mine`
 * and `/fresh` stand behind `withUser`, `requireUser` and `requireFresh`. Each answers with the user.
 */
export type Asker = {
  name: string
  /** Where the API is. */
  api: string
  /** Whether it has read the body before it asks. */
  readsForms: boolean
  start(auth: Auth): Promise<Send>
}

type Framework = ReturnType<typeof express>

export const askers: Asker[] = [
  {
    name: 'Fastify',
    api: '/auth/',
    readsForms: true,
    async start(auth) {
      const app = Fastify()
      await app.register(auth.fastify)
      const form = 'application/x-www-form-urlencoded'
      app.addContentTypeParser(form, { parseAs: 'string' }, async (_: unknown, body: string) =>
        Object.fromEntries(new URLSearchParams(body)),
      )
      const mine = async (request: FastifyRequest, reply: FastifyReply) => {
        const user = request.getDecorator<AuthUser | null>('user')
        return reply.send({ user })
      }
      const url = '/who'
      const who = async (request: FastifyRequest) => ({ user: await auth.identify(request) })
      const method = ['GET', 'POST']
      app.route({ method, url, handler: who })
      app.route({ method, url: '/with', preHandler: auth.withUser, handler: mine })
      app.route({ method, url: '/mine', preHandler: [auth.requireUser], handler: mine })
      app.route({ method, url: '/fresh', preHandler: auth.requireFresh, handler: mine })
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      onTestFinished(() => app.close())
      return (path, init) => fetch(`${address}${path}`, init)
    },
  },
  {
    name: 'Express',
    api: '/auth/',
    readsForms: false,
    start: (auth) => serving(withRoutes(express().use(auth.express), auth)),
  },
  {
    name: 'Express 4, after its parsers and at a path of its own',
    api: '/members/',
    readsForms: true,
    start(auth) {
      const app = express4().use(express4.json(), express4.urlencoded({ extended: false }))
      return serving(withRoutes(app.use('/members', auth.express), auth))
    },
  },
  {
    name: 'Connect',
    api: '/auth/',
    readsForms: false,
    start: (auth) => serving(withRoutes(connect().use(auth.express) as unknown as Framework, auth)),
  },
  {
    name: 'fetch',
    api: '/auth/',
    readsForms: false,
    async start(auth) {
      const answer = (asking: Promise<AuthUser | null>) =>
        asking.then(
          (user) => Response.json({ user }),
          (error) => {
            if (error instanceof RequestRefused) return error.getResponse()
            throw error
          },
        )
      return async (path, init) => {
        const request = new Request(`http://localhost:8000${path}`, init)
        if (path === '/who' || path === '/with') return answer(auth.identify(request))
        if (path === '/mine') return answer(auth.requireUser(request))
        if (path === '/fresh') return answer(auth.requireFresh(request))
        return auth.fetch(request)
      }
    },
  },
]

/** Every method, as middleware: that is all that Connect knows. */
function withRoutes(app: Framework, auth: Auth): Framework {
  const mine: express.RequestHandler = (request, response) => {
    const { user } = request as { user?: unknown }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ user }))
  }
  const who: express.RequestHandler = (request, response, next) => {
    auth.identify(request).then((user) => {
      Object.assign(request, { user })
      mine(request, response, next)
    }, next)
  }
  app.use('/who', who)
  for (const [path, guard] of [
    ['/with', auth.withUser],
    ['/mine', auth.requireUser],
    ['/fresh', auth.requireFresh],
  ] as const) {
    app.use(path, guard)
    app.use(path, mine)
  }
  return app
}
