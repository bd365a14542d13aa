import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../kernel/problems.ts'
import type { KnownPath, KnownPaths } from './paths.ts'

/**
 * Answers 405 on a known path with a wrong method, before the body is read. It works where unknown
 * paths are ours to answer. Routes for every wrong method would do the same, but adding thousands of
 * them took a third of the start.
 */
export function refuseOtherMethods(app: FastifyInstance, paths: KnownPaths): void {
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.is404 ? paths.named(request.url) : undefined
    // An allowed method means that the path was not found for another reason.
    if (!path || (path.methods.includes(request.method) && request.method !== 'OPTIONS')) {
      return done()
    }
    refuse(path, request, reply)
  })
}

/** Does the same by routes, where the host answers unknown paths. */
export function addRoutesForOtherMethods(app: FastifyInstance, paths: KnownPaths): void {
  for (const path of paths.all()) {
    const others = app.supportedMethods.filter((method) => !path.methods.includes(method))
    app.route({
      method: [...others, 'OPTIONS'],
      url: path.route.slice(app.prefix.length),
      onRequest: async (request, reply) => refuse(path, request, reply),
      handler: async () => undefined,
    })
  }
}

function refuse({ methods }: KnownPath, { method }: FastifyRequest, reply: FastifyReply) {
  const allow = methods.join(', ')
  if (method === 'OPTIONS') return reply.status(204).header('Allow', allow).send()
  throw problem('method_not_allowed', { method }).with('Allow', allow)
}
