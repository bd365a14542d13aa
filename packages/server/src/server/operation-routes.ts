import type { FastifyInstance } from 'fastify'
import type { Service } from '../compose-service.ts'
import { sendJson } from '../http/answer-headers.ts'
import { addResource } from '../http/paths.ts'
import { unavailable } from '../kernel/problems.ts'

/** Routes for operators and orchestrators. */
export function addOperationRoutes(
  app: FastifyInstance,
  { checkReady, metrics, team }: Service,
): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })

  addResource(app, 'healthz', async (_, reply) => sendJson(reply, '{"status":"ok"}'))

  addResource(app, 'readyz', async (request, reply) => {
    if (closing) throw unavailable()
    try {
      await checkReady()
    } catch (error) {
      request.log.warn({ reqId: request.id, err: error }, 'not ready')
      throw unavailable().logged()
    }
    return sendJson(reply, '{"status":"ready"}')
  })

  addResource(app, 'metrics', async (_, reply) =>
    reply.type(metrics.contentType).send(await (team ? team.metrics() : metrics.text())),
  )
}
