import type { IncomingMessage } from 'node:http'
import type { Place } from '../core/place.ts'
import { withoutOrigin } from '../http/paths.ts'
import type { RequestHead } from '../http/request.ts'
import type { FetchRequest, HostRequest, NodeRequest } from './auth.ts'

/** A request of a host, and its body if a parser of the host has read it. */
export type Asked = { asking: RequestHead; body: unknown }

/** Fastify and Hono keep the request of the platform in `raw`. */
export function askedBy(request: HostRequest): Asked {
  const raw = 'raw' in request ? request.raw : request
  const { body } = request as { body?: unknown }
  return isOfFetch(raw) ? { asking: ofFetch(raw), body: undefined } : { asking: ofNode(raw), body }
}

export const isOfFetch = (request: HostRequest): request is FetchRequest =>
  'headers' in request && typeof request.headers.get === 'function'

const ofNode = (raw: NodeRequest): RequestHead => ({
  method: raw.method ?? 'GET',
  headers: raw.headers,
  raw,
})

/** The headers that identify the caller and its page, and those that decide how a refusal is worded. */
const HEADERS = [
  'authorization',
  'cookie',
  'x-csrftoken',
  'origin',
  'referer',
  'host',
  'x-forwarded-proto',
  'accept-language',
  'x-error-codes',
]

function ofFetch({ method, url, headers }: FetchRequest): RequestHead {
  const { host, protocol } = new URL(url)
  const sent = HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  const socket = protocol === 'https:' ? { encrypted: true } : {}
  return { method, headers: { host, ...Object.fromEntries(sent) }, raw: { socket } }
}

/** A request with what Express (`baseUrl`) and Connect (`originalUrl`) add to it. */
type MountedRequest = IncomingMessage & { baseUrl?: string; originalUrl?: string }

/** The path that the host has stripped, as the client sent it. */
export const baseOf = (request: MountedRequest): string => request.baseUrl ?? baseOfConnect(request)

/**
 * The path of a request as in our routes, with its query. Returns null if the host has mounted the
 * service at a place that it did not name.
 */
export function pathAt(place: Place, request: MountedRequest): string | null {
  const base = asWeWriteIt(baseOf(request), place)
  const rest = withoutOrigin(request.url ?? '').replace(/^(?!\/)/, '/')
  const whole = base === null ? '' : `${base}${rest}`
  return whole.startsWith(`${place.base}/`) ? whole.slice(place.base.length) : null
}

/** Hosts ignore case in paths. Returns null if none of our paths begins with this one. */
function asWeWriteIt(base: string, { AUTH_PREFIX, PAGES_PREFIX, ROUTES }: Place): string | null {
  const paths = [AUTH_PREFIX, PAGES_PREFIX, ...Object.values(ROUTES).flat()]
  const start = `${base}/`.toLowerCase()
  const found = paths.find((path) => path.toLowerCase().startsWith(start))
  return found?.slice(0, base.length) ?? null
}

/** Connect strips the base from `url`, and adds a slash if nothing is left of the path. */
function baseOfConnect(request: MountedRequest): string {
  if (request.originalUrl === undefined) return ''
  const [whole, rest] = [withoutOrigin(request.originalUrl), withoutOrigin(request.url ?? '')]
  const tail = whole.endsWith(rest) ? rest : rest.slice(1)
  return whole.endsWith(tail) ? whole.slice(0, whole.length - tail.length) : ''
}
