import Fastify, { type FastifyInstance } from 'fastify'
import type { Auth } from '../create-auth.ts'
import { noteKnownPaths } from '../http/paths.ts'
import { addWholeService } from '../mount/whole-service.ts'
import { hardenServer } from './harden-server.ts'
import { addOperationRoutes } from './operation-routes.ts'
import { addRequestLog, createRequestLog } from './request-log.ts'
import { serverOptions } from './server-options.ts'
import { cutStalledReaders } from './stalled-readers.ts'

/** The service as a server of its own, with the routes for operators. */
export async function buildApp(auth: Auth): Promise<FastifyInstance> {
  const { settings, metrics, log } = auth
  const note = createRequestLog(log, metrics)
  const app = Fastify(serverOptions(settings, log, note))
  hardenServer(app.server)
  cutStalledReaders(app.server)
  const paths = noteKnownPaths(app)
  addRequestLog(app, note, paths)
  app.addHook('onReady', async () => auth.start())
  app.addHook('onClose', () => auth.close())
  await addWholeService(app, auth, paths, (outside) => addOperationRoutes(outside, auth))
  return app
}
