import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that a client sent ahead without reading answers; browsers never do that. */
const AHEAD_MAX = 64

/** What Fastify has no option for, so that greedy clients cannot hold the server. */
export function hardenServer(server: Server): void {
  // This timer is made anew with every request; that of `connectionTimeout`, which is only put
  // back, ends idle connections just as well. As an option, 0 would mean 72 seconds.
  server.keepAliveTimeout = 0

  const handlers = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  for (const handler of handlers) server.on('request', endingFloods(handler))
}

/** Node would read on and keep every request in memory, thousands of them in one packet. */
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
