import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'

export type OutboundRequest = {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** The body. Its content type is among the headers. */
  body?: string
}

/** The body is the parsed JSON, or undefined if it is not JSON. */
export type OutboundAnswer = { status: number; body: unknown }

type Bounds = { lookup: LookupFunction; timeoutMs: number; maxBytes: number }

const USER_AGENT = 'latchkey'

/**
 * One call, bounded in time and size from the first packet to the last byte. Redirects are not
 * followed; they are answers like any other. Connections are not kept, since these calls are rare.
 */
export function requestJson(request: OutboundRequest, bounds: Bounds): Promise<OutboundAnswer> {
  const { url, method = 'GET', headers = {}, body } = request
  const open = url.startsWith('https:') ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const outgoing = open(
      url,
      {
        method,
        agent: false,
        lookup: bounds.lookup,
        signal: AbortSignal.timeout(bounds.timeoutMs),
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': USER_AGENT,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (incoming) => {
        readText(incoming, bounds.maxBytes)
          .then((text) => resolve({ status: incoming.statusCode ?? 0, body: parseJson(text) }))
          .catch((error) => {
            outgoing.destroy()
            reject(error)
          })
      },
    )
    outgoing.on('error', reject)
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
