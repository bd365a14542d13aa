import type { Asking } from '../http/asking.ts'
import type { FetchRequest, HostRequest, NodeRequest } from './callers.ts'

/** A request of a host, and its body if a parser of the host has read it. */
export type Asked = { asking: Asking; body: unknown }

/** Fastify and Hono keep the request of the platform in `raw`. */
export function askedBy(request: HostRequest): Asked {
  const raw = 'raw' in request ? request.raw : request
  const { body } = request as { body?: unknown }
  return isOfFetch(raw) ? { asking: ofFetch(raw), body: undefined } : { asking: ofNode(raw), body }
}

export const isOfFetch = (request: HostRequest): request is FetchRequest =>
  'headers' in request && typeof request.headers.get === 'function'

const ofNode = (raw: NodeRequest): Asking => ({
  method: raw.method ?? 'GET',
  headers: raw.headers,
  raw,
})

/** Everything that tells who is asking, and whether a page of another site has sent it. */
const HEADERS = [
  'authorization',
  'cookie',
  'x-csrftoken',
  'origin',
  'referer',
  'host',
  'x-forwarded-proto',
]

function ofFetch({ method, url, headers }: FetchRequest): Asking {
  const { host, protocol } = new URL(url)
  const sent = HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  const socket = protocol === 'https:' ? { encrypted: true } : {}
  return { method, headers: { host, ...Object.fromEntries(sent) }, raw: { socket } }
}
