import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { SECOND } from '../kernel/clock.ts'
import type { Metrics, RequestSeries } from '../metrics.ts'

/** One line and one measurement per request: by its route, since an address may hold a key. */
export function addRequestLog(app: FastifyInstance, metrics: Metrics): void {
  /** What requests of one kind have in common, worded once. As many as there are routes. */
  const kinds = new Map<string, { series: RequestSeries; log: FastifyBaseLogger }>()

  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'unknown'
    const { statusCode: status, elapsedTime: ms } = reply
    const { series, log } = kindOf(method, route, status)
    series.observe(ms / SECOND)
    log.info({ reqId: request.id, ms: Math.round(ms * 10) / 10 }, 'request')
    done()
  })

  function kindOf(method: string, route: string, status: number) {
    const name = `${status} ${method} ${route}`
    const known = kinds.get(name)
    if (known) return known
    const kind = {
      series: metrics.requestSeries(method, route, status),
      log: app.log.child({ method, route, status }),
    }
    kinds.set(name, kind)
    return kind
  }
}
