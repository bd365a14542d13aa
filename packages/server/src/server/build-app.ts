import Fastify, { type FastifyInstance } from 'fastify'
import type { Service } from '../compose-service.ts'
import { recordPaths } from '../http/paths.ts'
import { addWholeService } from '../mount/fastify-plugin.ts'
import { hardenServer } from './harden-server.ts'
import { addHome } from './home.ts'
import { addOperationRoutes } from './operation-routes.ts'
import { createRequestLog } from './request-log.ts'
import { serverOptions } from './server-options.ts'
import { cutStalledReaders } from './stalled-readers.ts'

/** The service as a server of its own, with the routes for operators. */
export async function buildApp(service: Service): Promise<FastifyInstance> {
  const { settings, metrics, log } = service
  const requestLog = createRequestLog(log, metrics, (url) => paths.named(url)?.route)
  const app = Fastify(serverOptions(settings, log, requestLog))
  hardenServer(app.server)
  cutStalledReaders(app.server)
  const paths = recordPaths(app)
  addHome(app, settings)
  app.addHook('onReady', () => service.start())
  app.addHook('onClose', () => service.close())
  await addWholeService(app, service, paths, (outside) => addOperationRoutes(outside, service))
  return app
}
