import type { FastifyInstance } from 'fastify'
import { SECOND } from '../kernel/clock.ts'
import type { Metrics } from '../metrics.ts'

/** One line and one measurement per request: by its route, since an address may hold a key. */
export function addRequestLog(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'unknown'
    const { statusCode: status, elapsedTime: ms } = reply
    metrics.observeRequest(method, route, status, ms / SECOND)
    request.log.info(
      { reqId: request.id, method, route, status, ms: Math.round(ms * 10) / 10 },
      'request',
    )
    done()
  })
}
