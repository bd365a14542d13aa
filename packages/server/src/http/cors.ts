import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings/settings.ts'

const METHODS = 'GET, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'X-CSRFToken',
  'X-Request-Id',
  'X-Requested-With',
  'Accept',
  'Accept-Language',
  'Cache-Control',
  'Pragma',
]
const EXPOSED_HEADERS = 'Retry-After, X-Request-Id'
const PREFLIGHT_SECONDS = 600

type CorsSettings = Pick<Settings, 'CORS_ALLOWED_ORIGINS' | 'CORS_ALLOW_HEADERS'>

/** Allows only the listed origins, compared exactly; never `*` and never `null`. */
export function addCors(
  app: FastifyInstance,
  { CORS_ALLOWED_ORIGINS, CORS_ALLOW_HEADERS }: CorsSettings,
): void {
  if (CORS_ALLOWED_ORIGINS.length === 0) return
  const allowed = new Set(CORS_ALLOWED_ORIGINS)
  const requestHeaders = [...REQUEST_HEADERS, ...CORS_ALLOW_HEADERS].join(', ')

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
        'Access-Control-Allow-Headers': requestHeaders,
        'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
      })
      .send()
  })
}
