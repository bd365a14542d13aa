import type { IncomingMessage } from 'node:http'
import { withoutSlash } from '../mount/fastify-plugin.ts'
import type { Place } from './place.ts'

/** A request with what Express (`baseUrl`) and Connect (`originalUrl`) add to it. */
export type MountedRequest = IncomingMessage & { baseUrl?: string; originalUrl?: string }

/**
 * Where a host has mounted the handler that got this request. A path that the host names takes the
 * place of `AUTH_PREFIX`.
 */
export function placeOf(request: MountedRequest, prefix: string): Place {
  const base = request.baseUrl ?? baseOfConnect(request)
  if (base === '') return { base, prefix }
  // A client may write it in capitals. How the settings write it is right.
  const isPrefix = base.toLowerCase() === withoutSlash(prefix).toLowerCase()
  return { base: isPrefix ? withoutSlash(prefix) : base, prefix: '/' }
}

/** The path after the base, with its query. */
export const pathOf = ({ url = '' }: IncomingMessage): string =>
  withoutOrigin(url).replace(/^(?!\/)/, '/')

/** A client may send the whole address, as to a proxy. */
const withoutOrigin = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '')

/** Connect takes the base off `url`, and adds a slash if nothing is left of the path. */
function baseOfConnect(request: MountedRequest): string {
  if (request.originalUrl === undefined) return ''
  const [whole, rest] = [withoutOrigin(request.originalUrl), withoutOrigin(request.url ?? '')]
  const tail = whole.endsWith(rest) ? rest : rest.slice(1)
  return whole.endsWith(tail) ? whole.slice(0, whole.length - tail.length) : ''
}
