import { JSON_TYPE } from '../http/answer-headers.ts'
import type { RefusalAnswer } from '../http/error-handler.ts'
import type { HostReply } from './callers.ts'

/** What an answer depends on that says who is asking. */
const CREDENTIALS = ['Authorization', 'Cookie']

/** Other headers that the host has set stay: it may allow other origins. */
function headersOf({ headers }: RefusalAnswer): [name: string, value: string][] {
  const own = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }
  return Object.entries({ ...own, ...headers })
}

/**
 * Refuses a request of Fastify, Express, Connect or `node:http`, unless the host has answered
 * meanwhile: it may have lost patience.
 */
export function sendRefusal(answer: RefusalAnswer, reply: HostReply): void {
  const text = JSON.stringify(answer.body)
  if ('code' in reply) {
    if (reply.sent) return
    reply.code(answer.status)
    for (const [name, value] of headersOf(answer)) reply.header(name, value)
    // To a text Fastify would add a charset.
    reply.send(Buffer.from(text))
  } else {
    if (reply.headersSent) return
    reply.statusCode = answer.status
    for (const [name, value] of headersOf(answer)) reply.setHeader(name, value)
    reply.end(text)
  }
}

export function refusalResponse(answer: RefusalAnswer): Response {
  const headers = [...headersOf(answer), ['Vary', CREDENTIALS.join(', ')] as [string, string]]
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers })
}

/** Tells caches that the answer is for this caller alone. */
export function addVary(reply: HostReply): void {
  const known = [reply.getHeader('vary') ?? []].flat().map(String)
  const names = known.flatMap((line) => line.toLowerCase().split(/\s*,\s*/))
  if (names.includes('*')) return
  const missing = CREDENTIALS.filter((name) => !names.includes(name.toLowerCase()))
  const value = [...known, ...missing].join(', ')
  if ('code' in reply) reply.header('Vary', value)
  else reply.setHeader('Vary', value)
}
