import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readId } from '../kernel/ids.ts'
import { problem } from '../kernel/problems.ts'
import { randomInt } from '../kernel/random.ts'

/**
 * The part of a request that authentication needs. Every kind of server has it; a request of
 * Fastify fits.
 */
export type RequestHead = {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly raw: {
    /** The connection. An encrypted one has the property `encrypted`. */
    readonly socket: object
  }
}

/** Aborts if the client disconnects before it has its answer. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const tell = () => {
    if (!raw.writableFinished) controller.abort()
  }
  if (raw.closed) tell()
  else if (raw.socket === null) onCutOff(raw, tell)
  else raw.once('close', tell)
  return controller.signal
}

/** Node closes only the answer whose turn it is. A later one watches the connection, too. */
function onCutOff(raw: ServerResponse, tell: () => void): void {
  const { socket } = raw.req
  if (socket.destroyed) {
    tell()
    return
  }
  // Many requests may be sent ahead, and Node would report more than ten listeners as a leak.
  socket.setMaxListeners(0).once('close', tell)
  raw.once('close', () => {
    socket.off('close', tell)
    tell()
  })
}

/**
 * The relative link from a page to the paths below it. Links are relative because a host may serve
 * the API below another prefix, and the page is also served without its trailing slash.
 */
export function below({ url }: Pick<FastifyRequest, 'url'>): string {
  const [path = ''] = url.split('?')
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === '' ? './' : `./${last}/`
}

/** Reads the id in a path. A text that cannot be an id is a 404. */
export function idIn({ id = '' }: Record<string, string>): number {
  const number = readId(id)
  if (number === null) throw problem('not_found')
  return number
}

const SANE = /^[\w.:/+=-]{1,128}$/

/** The id that the client sent, if it is safe to repeat and to log. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && SANE.test(id) ? id : undefined
}

const START_LENGTH = 7

/**
 * Ids are unique but not secret: a random start per process, then a count. They are short, since V8
 * keeps texts of 13 characters and more in parts, which Node then puts together as it checks the header.
 */
export function createRequestIds(): () => string {
  const start = randomInt(36 ** START_LENGTH)
    .toString(36)
    .padStart(START_LENGTH, '0')
  let count = 0
  return () => {
    count += 1
    return start + count.toString(36)
  }
}

/**
 * Whether a link from a mail was opened in a browser, rather than by a script. A GET without an
 * `Accept` header is treated as a browser.
 */
export function wantsPage(request: FastifyRequest): boolean {
  const isSilent = (request.headers.accept ?? '').trim() === ''
  if (isSilent) return request.method === 'GET' || request.method === 'HEAD'
  return acceptsHtml(request)
}

/** Browsers name HTML. Scripts accept JSON, or anything. */
export const acceptsHtml = ({ headers }: FastifyRequest): boolean =>
  names(headers.accept, ['text/html', 'text/*'])

export const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  names(headers['accept-encoding'], ['gzip', 'x-gzip'])

/** Whether a header names one of these. A weight of zero excludes it. */
const names = (header: unknown, wanted: readonly string[]): boolean =>
  String(header ?? '')
    .split(',')
    .some((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      return wanted.includes(name) && !parameters.some((one) => /^q\s*=\s*0(\.0*)?$/.test(one))
    })
