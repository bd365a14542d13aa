import type { IncomingMessage } from 'node:http'

const SANE = /^[\w.:/+=-]{1,128}$/

/** The id that came with the request, if it is fit to be repeated and logged. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && SANE.test(id) ? id : undefined
}
