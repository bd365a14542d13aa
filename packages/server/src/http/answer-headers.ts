import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings.ts'
import { requestId } from './request-id.ts'

/** What every answer carries. Pages that show more than JSON loosen the policy for themselves. */
export function answerHeaders({ PUBLIC_URL }: Settings): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    // Not `no-referrer`: with it, browsers send forms of our own pages with `Origin: null`.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...(PUBLIC_URL.startsWith('https:') && {
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    }),
  }
}

export function addAnswerHeaders(app: FastifyInstance, settings: Settings): void {
  const headers = answerHeaders(settings)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('X-Request-Id', requestId(request.raw) ?? request.id)
    done()
  })
}
