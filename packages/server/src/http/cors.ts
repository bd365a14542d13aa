import type { FastifyInstance } from 'fastify'

const METHODS = 'GET, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS = 'Authorization, Content-Type, X-CSRFToken, X-Request-Id'
const EXPOSED_HEADERS = 'Retry-After, X-Request-Id'
const PREFLIGHT_SECONDS = 600

/** Allows only the listed origins, compared exactly; never `*` and never `null`. */
export function addCors(app: FastifyInstance, allowedOrigins: readonly string[]): void {
  if (allowedOrigins.length === 0) return
  const allowed = new Set(allowedOrigins)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('Vary', 'Origin')
    const { origin } = request.headers
    if (!origin || !allowed.has(origin)) return
    reply.headers({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    })
    const isPreflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method']
    if (!isPreflight) return
    return reply
      .status(204)
      .headers({
        'Access-Control-Allow-Methods': METHODS,
        'Access-Control-Allow-Headers': REQUEST_HEADERS,
        'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
      })
      .send()
  })
}
