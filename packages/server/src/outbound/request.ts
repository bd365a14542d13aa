import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'
import { parseJson } from '../kernel/json-object.ts'

export type OutboundRequest = {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** The body. Its content type is among the headers. */
  body?: string
}

/** The body is the parsed JSON, or undefined if it is not JSON. */
export type OutboundAnswer = { status: number; body: unknown }

type Bounds = { lookup: LookupFunction; timeoutMs: number }

const USER_AGENT = 'latchkey'

/** Makes a call and reads the answer, limited in size. */
export function requestJson(
  request: OutboundRequest,
  { maxBytes, ...bounds }: Bounds & { maxBytes: number },
): Promise<OutboundAnswer> {
  return call(request, bounds, async (incoming) => {
    const text = await readText(incoming, maxBytes)
    return { status: incoming.statusCode ?? 0, body: parseJson(text) }
  })
}

/** Makes a call and reads only the status of the answer. */
export const requestStatus = (request: OutboundRequest, bounds: Bounds): Promise<number> =>
  call(request, bounds, async (incoming) => {
    incoming.destroy()
    return incoming.statusCode ?? 0
  })

/**
 * Makes a call, limited in time from the first packet to the last byte. Redirects are not followed:
 * they are answers like any other. Connections are not reused, since these calls are rare.
 */
function call<T>(
  { url, method = 'GET', headers = {}, body }: OutboundRequest,
  { lookup, timeoutMs }: Bounds,
  read: (incoming: IncomingMessage) => Promise<T>,
): Promise<T> {
  const open = new URL(url).protocol === 'https:' ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const outgoing = open(
      url,
      {
        method,
        agent: false,
        lookup,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': USER_AGENT,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (incoming) => {
        read(incoming)
          .then(resolve)
          .catch((error) => {
            outgoing.destroy()
            reject(error)
          })
      },
    )
    outgoing.on('error', reject)
    // Without this listener, Node would close the connection and report nothing.
    outgoing.on('upgrade', (_incoming, socket) => {
      socket.destroy()
      reject(new Error('The answer switches to another protocol.'))
    })
    outgoing.end(body)
  })
}

async function readText(incoming: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of incoming) {
    bytes += part.length
    if (bytes > maxBytes) throw new Error('The answer is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

type ClientCredentials = {
  method: 'client_secret_basic' | 'client_secret_post' | 'none'
  clientId: string
  secret: string
}

/** A form that is posted with our client credentials (RFC 6749, 2.3.1). */
export function authenticatedForm(
  url: string,
  form: Record<string, string>,
  { method, clientId, secret }: ClientCredentials,
): OutboundRequest {
  const inBody = {
    client_secret_basic: {},
    client_secret_post: { client_id: clientId, client_secret: secret },
    none: { client_id: clientId },
  }
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(method === 'client_secret_basic' && { authorization: basic(clientId, secret) }),
    },
    body: new URLSearchParams({ ...form, ...inBody[method] }).toString(),
  }
}

/**
 * Encodes both parts, as the standard requires, but only the characters that need it. Servers that
 * do not decode still understand ordinary ids and secrets.
 */
export function basic(clientId: string, secret: string): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
