import type { Languages } from '../core/languages.ts'
import { JSON_TYPE } from '../http/answer-headers.ts'
import type { RefusalAnswer } from '../http/error-handler.ts'
import type { HostReply } from './auth.ts'

/** The request headers that the answer of a guard depends on: who asks, and in which language. */
export const variedBy = ({ isNegotiated }: Languages): readonly string[] => [
  'Authorization',
  'Cookie',
  ...(isNegotiated ? ['Accept-Language'] : []),
]

/** Other headers of the host stay: it may allow other origins. */
function headersOf({ headers }: RefusalAnswer): [name: string, value: string][] {
  const own = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }
  return Object.entries({ ...own, ...headers })
}

/**
 * Refuses a request of Fastify, Express, Connect or `node:http`, unless the host has already
 * answered, for example after a timeout.
 */
export function sendRefusal(answer: RefusalAnswer, reply: HostReply): void {
  const text = JSON.stringify(answer.body)
  if ('code' in reply) {
    if (reply.sent) return
    reply.code(answer.status)
    for (const [name, value] of headersOf(answer)) reply.header(name, value)
    // Fastify would add a charset to a text.
    reply.send(Buffer.from(text))
  } else {
    if (reply.headersSent) return
    reply.statusCode = answer.status
    for (const [name, value] of headersOf(answer)) reply.setHeader(name, value)
    reply.end(text)
  }
}

/**
 * Thrown by a guard that gets a `Request` alone and refuses it. Hono turns it into an answer, since
 * it has `getResponse`.
 */
export class RequestRefused extends Error {
  /** 401 if nobody is logged in, 403 if a CSRF token or a recent login is missing, 503 in an outage. */
  readonly status: number
  readonly #answer: RefusalAnswer
  readonly #varied: readonly string[]

  constructor(answer: RefusalAnswer, varied: readonly string[]) {
    super(`The request is refused with ${answer.status}.`)
    this.name = 'RequestRefused'
    this.status = answer.status
    this.#answer = answer
    this.#varied = varied
  }

  /** The answer, as the endpoints of the service would send it. */
  getResponse(): Response {
    const headers = new Headers(headersOf(this.#answer))
    headers.set('Vary', this.#varied.join(', '))
    return new Response(JSON.stringify(this.#answer.body), { status: this.status, headers })
  }
}

/** Tells caches that the answer is for this caller alone. */
export function addVary(reply: HostReply, varied: readonly string[]): void {
  const known = [reply.getHeader('vary') ?? []].flat().map(String)
  const names = known.flatMap((line) => line.toLowerCase().split(/\s*,\s*/))
  if (names.includes('*')) return
  const missing = varied.filter((name) => !names.includes(name.toLowerCase()))
  const value = [...known, ...missing].join(', ')
  if ('code' in reply) reply.header('Vary', value)
  else reply.setHeader('Vary', value)
}
