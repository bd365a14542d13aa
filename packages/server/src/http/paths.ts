import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { problem } from '../kernel/problems.ts'

export const withoutSlash = (path: string): string => path.replace(/\/$/, '')

/** Without this, the router would also match an empty parameter. */
const NOT_EMPTY = '(^.+$)'

/** A route as people write it. */
export const plainRoute = (route: string): string => route.replaceAll(NOT_EMPTY, '')

/**
 * A path is served with and without its trailing slash, never by a redirect. These are the routes
 * that the server needs for that: a router that ignores the slash needs only the declared one.
 */
export function spellings({ initialConfig }: FastifyInstance, path: string): string[] {
  const bare = withoutSlash(path).replace(/:\w+/g, (parameter) => parameter + NOT_EMPTY)
  if (bare === '') return ['/']
  const { ignoreTrailingSlash, routerOptions } = initialConfig
  const isOneRoute = routerOptions?.ignoreTrailingSlash || ignoreTrailingSlash
  const declared = path.endsWith('/') ? `/${bare}/` : `/${bare}`
  return isOneRoute ? [declared] : [`/${bare}/`, `/${bare}`]
}

/** Adds a read-only resource that is not an endpoint but follows the same path rules. */
export function addResource(app: FastifyInstance, path: string, handler: RouteHandlerMethod): void {
  for (const url of spellings(app, path)) app.get(url, handler)
}

/** A path as in its route, and the sorted methods that it allows. */
type ServedPath = { route: string; methods: readonly string[] }

export type ServedPaths = ReturnType<typeof recordPaths>

/** Records the path of every route that is added to the instance, or below it, from now on. */
export function recordPaths(app: FastifyInstance) {
  const paths = new Map<string, Set<string>>()
  /** The route of each path without parameters. Paths are without their trailing slash here. */
  const routes = new Map<string, string>()
  /** The paths with parameters, split at the slashes. */
  const patterns = new Map<string, string[]>()

  app.addHook('onRoute', ({ url, method }) => {
    const methods = paths.get(url) ?? new Set(['OPTIONS'])
    for (const one of [method].flat()) methods.add(one)
    paths.set(url, methods)
    if (url.includes(':')) patterns.set(url, withoutSlash(url).split('/'))
    else routes.set(withoutSlash(url), url)
  })

  return {
    /** Finds the path that the URL of a request names. Never throws, whatever a client has sent. */
    named(url: string): ServedPath | undefined {
      const path = decodedPath(url)
      if (path === null) return undefined
      const known = routes.get(path)
      if (known !== undefined) return servedPath(known)
      const parts = path.split('/')
      for (const [route, pattern] of patterns) if (fits(parts, pattern)) return servedPath(route)
      return undefined
    },
    all: () => [...paths.keys()].map(servedPath),
  }

  function servedPath(route: string): ServedPath {
    return { route, methods: [...(paths.get(route) ?? [])].toSorted() }
  }
}

/** A client may send the whole URL, as to a proxy. */
export const withoutOrigin = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '')

/** The path of a URL, without its trailing slash. Returns null if it cannot be decoded. */
function decodedPath(url: string): string | null {
  try {
    return withoutSlash(decodeURI(withoutOrigin(url).replace(/[?#].*$/s, '')))
  } catch {
    return null
  }
}

/** A parameter such as `:id` matches any text that is not empty. */
function fits(parts: readonly string[], pattern: readonly string[]): boolean {
  if (parts.length !== pattern.length) return false
  return pattern.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
}

/**
 * Answers requests for which there is no route: 405 to a wrong method on a path that we serve, before
 * the body is read, and 404 to all others. Routes for every wrong method would do the same, but adding
 * thousands of them took a third of the start.
 */
export function addNotFoundHandler(app: FastifyInstance, paths: ServedPaths): void {
  // An instance of its own, so that no other request passes the hook.
  app.register(async (unrouted) => {
    unrouted.addHook('onRequest', (request, reply, done) => {
      const path = paths.named(request.url)
      // An allowed method means that the path was not found for another reason.
      if (!path || (path.methods.includes(request.method) && request.method !== 'OPTIONS')) {
        return done()
      }
      refuse(path, request, reply)
    })
    unrouted.setNotFoundHandler(async () => {
      throw problem('not_found')
    })
  })
}

/** Does the same with routes, where the host answers unknown paths. */
export function addRoutesForOtherMethods(app: FastifyInstance, paths: ServedPaths): void {
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

function refuse({ methods }: ServedPath, { method }: FastifyRequest, reply: FastifyReply) {
  const allow = methods.join(', ')
  if (method === 'OPTIONS') return reply.status(204).header('Allow', allow).send()
  throw problem('method_not_allowed', { method }).with('Allow', allow)
}
