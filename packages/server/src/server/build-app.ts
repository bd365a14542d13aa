import Fastify, { type FastifyInstance } from 'fastify'
import type { Auth } from '../create-auth.ts'
import { addAnswerHeaders } from '../http/answer-headers.ts'
import { addErrorHandler, addNotFoundHandler } from '../http/error-handler.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { noteKnownPaths } from '../http/paths.ts'
import { addEndpointsAtRoot, apiBelowPrefix } from '../mount/fastify-plugin.ts'
import { hardenServer } from './harden-server.ts'
import { addOperationRoutes } from './operation-routes.ts'
import { addRequestLog, createRequestLog } from './request-log.ts'
import { serverOptions } from './server-options.ts'
import { cutStalledReaders } from './stalled-readers.ts'

/**
 * The service as a server of its own: the plugin under its prefix, and the routes for operators.
 */
export async function buildApp(auth: Auth): Promise<FastifyInstance> {
  const { settings, metrics, log } = auth
  const note = createRequestLog(log, metrics)
  const app = Fastify(serverOptions(settings, log, note))
  hardenServer(app.server)
  cutStalledReaders(app.server)
  const prefix = settings.AUTH_PREFIX.replace(/\/$/, '')
  const paths = noteKnownPaths(app)
  addRequestLog(app, note, paths)
  // Registered before the plugin, so it runs after the plugin's own hook: its mails need the
  // database.
  app.addHook('onClose', () => auth.close())
  // Beside the plugin, not around it. Otherwise its answers would be logged and counted twice.
  await app.register(async (operation) => {
    addErrorHandler(operation, settings)
    addAnswerHeaders(operation, settings)
    addEndpointsAtRoot(operation, auth)
    // Without a prefix, the plugin answers unknown paths.
    if (prefix !== '') {
      addNotFoundHandler(operation)
      refuseOtherMethods(operation, paths)
    }
    addOperationRoutes(operation, auth)
  })
  await app.register(apiBelowPrefix(auth, paths), { prefix })
  return app
}
