import type { FastifyInstance } from 'fastify'
import { acceptsHtml } from '../http/request.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * Sends a browser that opens `/` to the hosted pages. To scripts, `/` is a path like any other that
 * is not served. So it is no route, and nothing happens where the pages or the API begin at `/`.
 */
export function addHome(app: FastifyInstance, settings: Settings): void {
  const { MODULES, PAGES_PREFIX } = settings
  if (!MODULES.includes('pages')) return
  // By then the answer has its usual headers.
  app.addHook('preHandler', (request, reply, done) => {
    const isHome = request.is404 && request.method === 'GET' && /^\/(\?|$)/.test(request.url)
    if (!isHome || !acceptsHtml(request)) return done()
    reply.header('vary', 'Accept').redirect(PAGES_PREFIX)
  })
}
