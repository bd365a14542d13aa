import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings/settings.ts'
import { requestId } from './request-id.ts'

/**
 * The headers of every answer. Pages loosen the policy for themselves. The names are in lower case,
 * as they are sent: converting them would cost more than sending them.
 */
export function answerHeaders({ PUBLIC_URL }: Settings): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // Not `no-referrer`: browsers would then send forms of our own pages with `Origin: null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(PUBLIC_URL.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
}

export function addAnswerHeaders(app: FastifyInstance, settings: Settings): void {
  const headers = answerHeaders(settings)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', requestId(request.raw) ?? request.id)
    done()
  })
}
