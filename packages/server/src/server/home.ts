import type { FastifyInstance } from 'fastify'
import { addVary } from '../http/answer-headers.ts'
import { acceptsHtml } from '../http/request.ts'

/**
 * Sends a browser that opens `/` to the pages. To scripts, `/` is a path like any other that is not
 * served. It is a hook, not a route, so it does nothing where the pages or the API are at `/`.
 */
export function addHome(app: FastifyInstance, pages: string): void {
  // By then the answer has its usual headers.
  app.addHook('preHandler', (request, reply, done) => {
    const isHome = request.is404 && request.method === 'GET' && /^\/(\?|$)/.test(request.url)
    if (!isHome || !acceptsHtml(request)) return done()
    addVary(reply, 'Accept')
    reply.redirect(pages)
  })
}
