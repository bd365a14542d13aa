import type { IncomingHttpHeaders } from 'node:http'

/**
 * What tells who is asking: the least of a request, which every kind of server has. A request of
 * Fastify is one.
 */
export type Asking = {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly raw: {
    /** The connection. An encrypted one has the property `encrypted`. */
    readonly socket: object
  }
}
