import type { IncomingMessage } from 'node:http'
import { randomHex } from '../kernel/random.ts'

const SANE = /^[\w.:/+=-]{1,128}$/

/** The id that the client sent, if it is safe to repeat and to log. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && SANE.test(id) ? id : undefined
}

/** Ids are unique but not secret: a random beginning per process, then a count. */
export function createRequestIds(): () => string {
  const start = randomHex(6)
  let count = 0
  return () => {
    count += 1
    return `${start}-${count.toString(36)}`
  }
}
