import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { BODY_LIMIT } from '../http/body-limits.ts'
import type { FetchMount } from './auth.ts'
import type { Mounted } from './mounted.ts'

export function mountFetch(name: string, mounted: Mounted): FetchMount {
  const { settings, log, ownApp, elsewhere } = mounted
  const { NUM_PROXIES } = settings.REST_FRAMEWORK
  let isWarned = false

  return async (request, { address } = {}) => {
    if (address === undefined && NUM_PROXIES === 0 && !isWarned) {
      isWarned = true
      log.warn(`${name} ${NO_ADDRESS}`)
    }
    const { method, url, signal } = request
    signal.throwIfAborted()
    const app = await ownApp()
    const { pathname } = new URL(url)
    if (!app.isOurs(pathname)) elsewhere.noteIfOurs(pathname, app)
    const payload = await boundedBody(request, name)
    signal.throwIfAborted()
    const answer = app.simulate({
      method: method as 'GET',
      url,
      headers: headersOf(request, address),
      remoteAddress: address ?? 'unknown',
      signal,
      ...(payload && { payload }),
    })
    const {
      statusCode: status,
      headers,
      rawPayload,
    } = await answer.finally(() => signal.throwIfAborted())
    const isEmpty = method === 'HEAD' || EMPTY.includes(status)
    return new Response(isEmpty ? null : rawPayload, { status, headers: answerHeaders(headers) })
  }
}

const NO_ADDRESS =
  'does not know the address of the client, so all clients share their limits. Pass { address }, or set REST_FRAMEWORK.NUM_PROXIES.'

/** With these statuses a `Response` must not have a body. */
const EMPTY = [204, 205, 304]

/** The length is counted again. The address from the server is preferred to a forwarded one. */
function headersOf({ headers, url }: Request, address: string | undefined): IncomingHttpHeaders {
  const {
    'content-length': _length,
    'transfer-encoding': _encoding,
    'x-forwarded-for': forwarded,
    ...sent
  } = Object.fromEntries(headers)
  return {
    host: new URL(url).host,
    'user-agent': undefined,
    ...sent,
    ...(forwarded && address === undefined && { 'x-forwarded-for': forwarded }),
  }
}

/** Stops reading as soon as the body is too large. */
async function boundedBody(
  { body, bodyUsed, signal }: Request,
  name: string,
): Promise<Buffer | undefined> {
  if (bodyUsed) {
    throw new Error(`The body of the request was already read. Pass a request.clone() to ${name}.`)
  }
  if (!body) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body.pipeThrough(new TransformStream(), { signal })) {
    chunks.push(chunk)
    length += chunk.length
    if (length > BODY_LIMIT) break
  }
  return Buffer.concat(chunks)
}

/** Headers of the connection, which is not ours. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'date']

function answerHeaders(sent: OutgoingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined || OF_CONNECTION.includes(name)) continue
    for (const one of [value].flat()) headers.append(name, String(one))
  }
  return headers
}
