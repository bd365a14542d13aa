import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

const SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** What `/metrics` tells. Labels are routes and outcomes, never anything that a client sends. */
export function createMetrics() {
  const registry = new Registry()
  const requests = new Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  })
  const logins = new Counter({
    name: 'latchkey_logins_total',
    help: 'Attempts to log in, by outcome',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })

  return {
    /** Of the process as a whole; once per process, so only the server asks for it. */
    collectProcess: () => collectDefaultMetrics({ register: registry }),
    observeRequest: (method: string, route: string, status: number, seconds: number) =>
      requests.labels(method, route, String(status)).observe(seconds),
    countLogin: (outcome: 'success' | 'failure') => logins.inc({ outcome }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
