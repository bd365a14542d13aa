import { METHODS } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Auth } from '../create-auth.ts'
import { addAnswerHeaders } from '../http/answer-headers.ts'
import { addErrorHandler, addNotFoundHandler } from '../http/error-handler.ts'
import { fastifyPlugin } from '../mount/fastify-plugin.ts'
import { hardenServer } from './harden-server.ts'
import { addOperationRoutes } from './operation-routes.ts'
import { addRequestLog, createRequestLog } from './request-log.ts'
import { serverOptions } from './server-options.ts'
import { cutStalledReaders } from './stalled-readers.ts'

/** The service as a server of its own: the plugin under its prefix, and what operators ask. */
export async function buildApp(auth: Auth): Promise<FastifyInstance> {
  const { settings, metrics, log } = auth
  const note = createRequestLog(log, metrics)
  const app = Fastify(serverOptions(settings, log, note))
  hardenServer(app.server)
  cutStalledReaders(app.server)
  // So that wherever the method is the only mistake, the answer says so.
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  addRequestLog(app, note)
  // Before the plugin, and so after it when the service ends: its mails need the database.
  app.addHook('onClose', () => auth.close())
  // Beside the plugin, not around it: what it says of its own answers is not said twice.
  await app.register(async (operation) => {
    addErrorHandler(operation, settings)
    addNotFoundHandler(operation)
    addAnswerHeaders(operation, settings)
    addOperationRoutes(operation, auth)
  })
  await app.register(fastifyPlugin(auth), { prefix: settings.AUTH_PREFIX.replace(/\/$/, '') })
  return app
}
