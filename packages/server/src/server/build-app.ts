import Fastify, { type FastifyInstance } from 'fastify'
import type { Service } from '../compose-service.ts'
import { addVary } from '../http/answer-headers.ts'
import { recordPaths, withoutSlash } from '../http/paths.ts'
import { acceptsHtml } from '../http/request.ts'
import { adminApi, publicApi } from '../mount/apis.ts'
import { addAlone, addBelowPrefix } from '../mount/mount-api.ts'
import { ADMIN_PATH } from '../settings/admin-view.ts'
import { adminAddress } from '../settings/kinds/admin-listen.ts'
import type { Settings } from '../settings/settings.ts'
import { refuseWithoutHost } from './answer-early.ts'
import { hardenServer } from './harden-server.ts'
import { addOperationRoutes } from './operation-routes.ts'
import { createRequestLog } from './request-log.ts'
import { serverOptions } from './server-options.ts'

const ADMIN_PREFIX = withoutSlash(ADMIN_PATH)

/**
 * The service as a server of its own, with the routes for operators. `addHooks` may add hooks for all
 * routes.
 */
export async function buildApp(
  service: Service,
  addHooks: (app: FastifyInstance) => void = () => {},
): Promise<FastifyInstance> {
  const { settings, admin } = service
  const { app, paths } = openServer(service, settings)
  addHooks(app)
  if (settings.MODULES.includes('pages')) addHome(app, settings.PAGES_PREFIX)
  app.addHook('onReady', () => service.start())
  app.addHook('onClose', () => service.close())
  await addAlone(app, publicApi(service), paths, (outside) => addOperationRoutes(outside, service))
  const isShared = adminAddress(settings.ADMIN_LISTEN) === null
  if (admin && isShared) {
    await addBelowPrefix(app, adminApi(service, admin, ADMIN_PREFIX), { isAlone: true, paths })
  }
  return app
}

/**
 * The admin API as a server of its own. Returns null if it is off, or on the server of the service. It
 * neither starts nor closes the service.
 */
export async function buildAdminApp(service: Service): Promise<FastifyInstance | null> {
  const { settings, admin } = service
  if (!admin || adminAddress(settings.ADMIN_LISTEN) === null) return null
  const { app, paths } = openServer(service, admin.settings)
  addHome(app, ADMIN_PATH)
  await addAlone(app, adminApi(service, admin, ADMIN_PREFIX), paths)
  return app
}

/** Every listener has the same protections and the same log. */
function openServer({ metrics, log, languages }: Service, settings: Settings) {
  const requestLog = createRequestLog(log, metrics, (url) => paths.named(url)?.route)
  const speaking = { settings, languages }
  const app: FastifyInstance = Fastify(serverOptions(speaking, log, requestLog))
  hardenServer(app.server)
  refuseWithoutHost(app, speaking)
  const paths = recordPaths(app)
  return { app, paths }
}

/**
 * Sends a browser that opens `/` to the pages. To scripts, `/` is a path like any other that is not
 * served. It is a hook, not a route, so it does nothing where the pages or the API are at `/`.
 */
function addHome(app: FastifyInstance, pages: string): void {
  // By then the answer has its usual headers.
  app.addHook('preHandler', (request, reply, done) => {
    const isHome = request.is404 && request.method === 'GET' && /^\/(\?|$)/.test(request.url)
    if (!isHome || !acceptsHtml(request)) return done()
    addVary(reply, 'Accept')
    reply.redirect(pages)
  })
}
