import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Languages } from '../core/languages.ts'
import type { Language } from '../kernel/words/english.ts'
import type { Settings } from '../settings/settings.ts'
import { requestId } from './request.ts'

/** Without a charset, as Django REST framework sends it: clients compare the text. */
export const JSON_TYPE = 'application/json'

const asItIs = (text: unknown): string => text as string

/** Sends a text that is JSON. With a serialiser of ours, Fastify does not add a charset to its type. */
export const sendJson = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', JSON_TYPE).serializer(asItIs).send(text)

/**
 * The headers of every answer. Pages relax the policy for themselves. The names are in lower case,
 * because converting them would cost more than sending them.
 */
export function answerHeaders({ PUBLIC_URL }: Settings): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // With `no-referrer`, browsers would send forms of our own pages with `Origin: null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(PUBLIC_URL.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
}

export function addAnswerHeaders(
  app: FastifyInstance,
  { settings, languages }: { settings: Settings; languages: Languages },
): void {
  // A list, since `reply.headers` would make one of them for each answer.
  const headers = Object.entries(answerHeaders(settings))
  app.addHook('onRequest', (request, reply, done) => {
    for (const [name, value] of headers) reply.header(name, value)
    reply.header('x-request-id', requestId(request.raw) ?? request.id)
    if (languages.isNegotiated) tellLanguage(reply, languages.of(request))
    done()
  })
}

/** For caches: another reader may get other words. */
export function tellLanguage(reply: FastifyReply, { code }: Language): void {
  addVary(reply, 'Accept-Language')
  reply.header('content-language', code)
}

export function addVary(reply: FastifyReply, name: string): void {
  const known = [reply.getHeader('vary') ?? []].flat().flatMap((names) => String(names).split(', '))
  if (!known.includes(name)) reply.header('vary', [...known, name].join(', '))
}

const METHODS = 'GET, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'X-CSRFToken',
  'X-Error-Codes',
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
    addVary(reply, 'Origin')
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
