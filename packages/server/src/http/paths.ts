import type { FastifyInstance, RouteHandlerMethod } from 'fastify'

export const withoutSlash = (path: string): string => path.replace(/\/$/, '')

/** The router would also take an empty text for a parameter, and so a shorter path for a longer. */
const NOT_EMPTY = '(^.+$)'

/** A route as people write it. */
export const plainRoute = (route: string): string => route.replaceAll(NOT_EMPTY, '')

/** A path is served with and without its trailing slash, never by a redirect. */
export function spellings(path: string): string[] {
  const bare = path.replace(/\/$/, '').replace(/:\w+/g, (parameter) => parameter + NOT_EMPTY)
  return bare === '' ? ['/'] : [`/${bare}/`, `/${bare}`]
}

/** Adds a read-only resource that is no endpoint but follows the same path rules. */
export function addResource(app: FastifyInstance, path: string, handler: RouteHandlerMethod): void {
  for (const url of spellings(path)) app.get(url, handler)
}

/** A path as its route is written, and the methods it allows, sorted. */
export type KnownPath = { route: string; methods: readonly string[] }

export type KnownPaths = {
  /** Finds the path that the URL of a request names. */
  named(url: string): KnownPath | undefined
  all(): KnownPath[]
}

/** Records the path of every route that is added to the instance, or below it, from now on. */
export function noteKnownPaths(app: FastifyInstance): KnownPaths {
  const paths = new Map<string, Set<string>>()
  /** The paths with parameters, split at the slashes. */
  const patterns = new Map<string, string[]>()

  app.addHook('onRoute', ({ url, method }) => {
    const methods = paths.get(url) ?? new Set(['OPTIONS'])
    for (const one of [method].flat()) methods.add(one)
    paths.set(url, methods)
    if (url.includes(':')) patterns.set(url, url.split('/'))
  })

  return {
    named(url) {
      const path = decodeURI(url.replace(/[?#].*$/s, ''))
      if (paths.has(path)) return knownPath(path)
      const parts = path.split('/')
      for (const [route, pattern] of patterns) if (fits(parts, pattern)) return knownPath(route)
      return undefined
    },
    all: () => [...paths.keys()].map(knownPath),
  }

  function knownPath(route: string): KnownPath {
    return { route, methods: [...(paths.get(route) ?? [])].toSorted() }
  }
}

/** A parameter such as `:id` stands for any text that is not empty. */
function fits(parts: readonly string[], pattern: readonly string[]): boolean {
  if (parts.length !== pattern.length) return false
  return pattern.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
}
