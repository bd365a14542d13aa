import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests a client may send ahead without reading answers. Browsers never do that. */
const AHEAD_MAX = 64

/** Protections that Fastify has no option for: no client can take more than its share. */
export function hardenServer(server: Server): void {
  // Node would make a new timer for every request. The timer of `connectionTimeout` is reused, and
  // ends idle connections just as well. It is set here since 0 as an option would mean 72 seconds.
  server.keepAliveTimeout = 0

  aroundRequests(server, endingFloods)

  // Node would refuse it on its own, without a request id, a body or a line in the log.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Puts a function around every handler of requests. */
export function aroundRequests(
  server: Server,
  wrap: (handler: RequestListener) => RequestListener,
): void {
  const handlers = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  for (const handler of handlers) server.on('request', wrap(handler))
}

/** Without this, Node would read on and keep every request in memory, thousands in one packet. */
function endingFloods(handler: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>()
  const add = (socket: Socket, change: number) => {
    const count = (unanswered.get(socket) ?? 0) + change
    unanswered.set(socket, count)
    return count
  }
  function onClose(this: ServerResponse): void {
    add(this.req.socket, -1)
  }

  return (request, response) => {
    if (add(request.socket, 1) > AHEAD_MAX) request.socket.destroy()
    else handler(request, response.on('close', onClose))
  }
}
