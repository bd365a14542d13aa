import type { Paths } from '../core/place.ts'
import { SettingsError } from '../kernel/settings-error.ts'
import { longestKey, type Routes } from '../settings/kinds/routes.ts'
import type { Endpoint } from './endpoint.ts'

type RouteSettings = Pick<Paths, 'ROUTES' | 'AUTH_PREFIX'>

/** Paths of the service that are not endpoints. An alias must not take them. */
const TAKEN = ['/healthz', '/readyz', '/metrics']

/**
 * The further paths of `ROUTES`. An alias is an endpoint like its original, with the same access,
 * limits and fields.
 */
export function aliasesOf(
  endpoints: readonly Endpoint[],
  { ROUTES, AUTH_PREFIX }: RouteSettings,
): Endpoint[] {
  if (Object.keys(ROUTES).length === 0) return []
  const mayMove = endpoints.filter(({ atRoot }) => !atRoot)
  const mistakes = new Set(unknownKeys(mayMove, ROUTES))
  /**
   * The original endpoint of each path, without the names of parameters, since those do not matter.
   */
  const owners = new Map(TAKEN.map((path) => [shapeOf(path), path]))
  owners.set(shapeOf(`${AUTH_PREFIX}openapi.json`), 'openapi.json')
  const fullPathOf = ({ path, atRoot }: Endpoint) => `${atRoot ? '/' : AUTH_PREFIX}${path}`
  for (const one of endpoints) owners.set(shapeOf(fullPathOf(one)), one.path)
  const served = new Set(endpoints.map((one) => `${one.method} ${fullPathOf(one)}`))

  const aliases = mayMove.flatMap((original) =>
    furtherPaths(original, ROUTES).flatMap(({ key, path }) => {
      const faults = parameterFaults(key, path, original)
      for (const fault of faults) mistakes.add(fault)
      if (faults.length > 0) return []

      const fullPath = path.startsWith('/') ? path : `${AUTH_PREFIX}${path}`
      const rival = rivalOf(original, fullPath, owners)
      if (rival !== undefined) {
        mistakes.add(
          `ROUTES: ${braced(path)} would mean both ${braced(original.path)} and ${braced(rival)}; give one of them another path`,
        )
        return []
      }
      owners.set(shapeOf(fullPath), original.path)
      const route = `${original.method} ${fullPath}`
      if (served.has(route)) return []
      served.add(route)
      return [aliasAt(fullPath, original, AUTH_PREFIX)]
    }),
  )
  if (mistakes.size > 0) throw new SettingsError([...mistakes])
  return aliases
}

/**
 * Another endpoint that serves the path, or that matches some of the same URLs. Endpoints whose own
 * paths overlap may move together, as `sessions/{id}/` and `sessions/end-others/` do: the path
 * without a parameter wins, before and after.
 */
function rivalOf(
  { path: own }: Endpoint,
  fullPath: string,
  owners: ReadonlyMap<string, string>,
): string | undefined {
  const shape = shapeOf(fullPath)
  if (owners.get(shape) === own) return undefined
  const isRival = ([other, owner]: [string, string]) =>
    owner !== own && meet(other, shape) && (other === shape || !meet(shapeOf(owner), shapeOf(own)))
  return [...owners].find(isRival)?.[1]
}

/** Whether some URL has both shapes. A parameter matches any text. */
function meet(one: string, other: string): boolean {
  const [parts, others] = [one.split('/'), other.split('/')]
  return (
    parts.length === others.length &&
    parts.every((part, at) => part === others[at] || part === ':' || others[at] === ':')
  )
}

function aliasAt(fullPath: string, original: Endpoint, prefix: string): Endpoint {
  const isBelowPrefix = fullPath.startsWith(prefix)
  return {
    ...original,
    path: fullPath.slice(isBelowPrefix ? prefix.length : 1),
    alias: { of: original.operationId, fullPath: braced(fullPath) },
    atRoot: !isBelowPrefix,
  }
}

/** The paths by which `ROUTES` can name an endpoint. */
const namesOf = ({ path, template }: Endpoint): string[] =>
  [path, template ?? path].map((name) => braced(name).replace(/\/?$/, '/'))

function furtherPaths(original: Endpoint, routes: Routes): { key: string; path: string }[] {
  const keys = Object.keys(routes)
  const found = namesOf(original).flatMap((name) => longestKey(keys, name) ?? [])
  const key = found.toSorted((a, b) => segments(b) - segments(a)).at(0)
  if (key === undefined) return []
  const own = original.path.split('/')
  const rest = own.slice(segments(key)).join('/')
  return (routes[key] ?? []).map((further) => {
    const named = further.replaceAll('{provider}', own[0] ?? '')
    return { key, path: `${named.replace(/\{(\w+)\}/g, ':$1')}${rest}` }
  })
}

function unknownKeys(endpoints: readonly Endpoint[], routes: Routes): string[] {
  const names = endpoints.flatMap(namesOf)
  return Object.keys(routes)
    .filter((key) => !names.some((name) => name.startsWith(key)))
    .map(
      (key) =>
        `ROUTES: there is no endpoint ${key}; correct the path, or switch on the module or setting that it belongs to`,
    )
}

/** An alias needs exactly the parameters of its original, since both have the same handler. */
function parameterFaults(key: string, path: string, { path: own }: Endpoint): string[] {
  const [wanted, given] = [own, path].map((one) => (one.match(/:\w+/g) ?? []).toSorted().join(' '))
  if (wanted === given) return []
  return [
    `ROUTES: ${braced(path)} must have the same parts in braces as ${braced(own)}, which ${key} covers`,
  ]
}

const segments = (key: string): number => key.split('/').length - 1
const braced = (path: string): string => path.replace(/:(\w+)/g, '{$1}')
const shapeOf = (path: string): string => path.replace(/\/$/, '').replace(/:\w+/g, ':')
