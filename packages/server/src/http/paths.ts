import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { problem } from '../kernel/problems.ts'

/** A path is served with and without its trailing slash, never by a redirect. */
export function spellings(path: string): string[] {
  const bare = path.replace(/\/$/, '')
  return [`/${bare}/`, `/${bare}`]
}

export function refuseOtherMethods(app: FastifyInstance, path: string, methods: string[]): void {
  const allow = methods.toSorted().join(', ')
  const others = app.supportedMethods.filter((method) => !methods.includes(method))
  for (const url of spellings(path)) {
    app.route({
      method: others,
      url,
      onRequest: async ({ method }) => {
        throw problem('method_not_allowed', { method }).with('Allow', allow)
      },
      handler: async () => undefined,
    })
    app.options(url, async (_, reply) => reply.status(204).header('Allow', allow).send())
  }
}

/** Adds a read-only resource that is no endpoint but follows the same path rules. */
export function addResource(app: FastifyInstance, path: string, handler: RouteHandlerMethod): void {
  for (const url of spellings(path)) app.get(url, handler)
  refuseOtherMethods(app, path, ['GET', 'HEAD', 'OPTIONS'])
}
