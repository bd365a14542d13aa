import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Metrics, RequestSeries } from '../core/metrics.ts'
import { plainRoute, type ServedPaths } from '../http/paths.ts'
import { SECOND } from '../kernel/clock.ts'

/** The route and not the URL, since a URL may hold a key. */
type Answered = { id: string; method: string; route: string; status: number; ms: number }

/** Logs and counts an answered request. */
export type RequestLog = (answered: Answered) => void

export const UNKNOWN = 'unknown'

/** One line and one measurement per request. */
export function createRequestLog(log: FastifyBaseLogger, metrics: Metrics): RequestLog {
  /**
   * What requests of one route, method and status share. It is made once, so the number is bounded.
   */
  const kinds = new Map<string, { series: RequestSeries; log: FastifyBaseLogger }>()

  return ({ id, method, route, status, ms }) => {
    const kind = kindOf(method, route, status)
    kind.series.observe(ms / SECOND)
    kind.log.info({ reqId: id, ms: Math.round(ms * 10) / 10 }, 'request')
  }

  function kindOf(method: string, route: string, status: number) {
    const name = `${status} ${method} ${route}`
    const known = kinds.get(name)
    if (known) return known
    const shown = plainRoute(route)
    const kind = {
      series: metrics.requestSeries(method, shown, status),
      log: log.child({ method, route: shown, status }),
    }
    kinds.set(name, kind)
    return kind
  }
}

export function addRequestLog(app: FastifyInstance, note: RequestLog, paths: ServedPaths): void {
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const { id, method, routeOptions, url } = request
    const route = routeOptions.url ?? paths.named(url)?.route ?? UNKNOWN
    note({ id, method, route, status: statusCode, ms: elapsedTime })
    done()
  })
}
