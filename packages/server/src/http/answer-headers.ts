import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings/settings.ts'
import { requestId } from './request-id.ts'

/**
 * What every answer carries; pages that show more than JSON loosen the policy for themselves. In
 * small letters, as they are sent: turning them costs more than sending them.
 */
export function answerHeaders({ PUBLIC_URL }: Settings): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // Not `no-referrer`: with it, browsers send forms of our own pages with `Origin: null`.
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
