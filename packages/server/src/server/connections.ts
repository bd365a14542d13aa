import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests a client may send ahead without reading answers. Browsers never do that. */
const AHEAD_MAX = 64

type Connections = ReturnType<typeof watchConnections>

const watched = new WeakMap<Server, Connections>()

/** The connections of a server. Everything that watches them shares one listener per answer. */
export function connectionsOf(server: Server): Connections {
  const connections = watched.get(server) ?? watchConnections(server)
  watched.set(server, connections)
  return connections
}

function watchConnections(server: Server) {
  /** Open connections, each with the answers that it still waits for, in their order. */
  const open = new Map<Socket, ServerResponse[]>()
  const handlers = server.listeners('request') as RequestListener[]
  let count = 0
  let isEnding = false
  /** Requests that wait to be handled, in their order. */
  let held: (() => void)[] | null = null

  server.on('connection', (socket: Socket) => {
    count += 1
    open.set(socket, [])
    socket.once('close', () => open.delete(socket))
  })
  server.removeAllListeners('request').on('request', take)

  function take(request: IncomingMessage, response: ServerResponse): void {
    const ahead = open.get(request.socket)?.push(response) ?? 0
    // Node would read on and keep every request in memory, thousands in one packet.
    if (ahead > AHEAD_MAX) {
      request.socket.destroy()
      return
    }
    response.on('close', onAnswered)
    if (isEnding) announceEnd(response)
    if (held) held.push(() => handle(request, response))
    else handle(request, response)
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    for (const handler of handlers) handler(request, response)
  }

  function onAnswered(this: ServerResponse): void {
    const { socket } = this.req
    const unanswered = open.get(socket)
    // Nearly always the first: answers keep the order of their requests.
    if (unanswered?.[0] === this) unanswered.shift()
    else if (unanswered?.includes(this)) unanswered.splice(unanswered.indexOf(this), 1)
    // This answer did not announce the end: its headers were sent before.
    if (isEnding && isIdle(socket)) socket.end()
  }

  const isIdle = (socket: Socket): boolean => (open.get(socket)?.length ?? 0) === 0
  const unanswered = (): ServerResponse[] => [...open.values()].flat()

  return {
    /** How many there have been so far. */
    count: () => count,
    all: () => [...open.keys()],
    idle: () => [...open.keys()].filter(isIdle),
    /** Those whose client has not sent its whole request. */
    sending: () => unanswered().flatMap(({ req }) => (req.complete ? [] : [req.socket])),

    /** From now on, each connection ends with its next answer. */
    end(): void {
      isEnding = true
      for (const response of unanswered()) announceEnd(response)
    },

    /** Requests wait until `release` is called. */
    hold(): void {
      held ??= []
    },

    release(): void {
      const requests = held ?? []
      held = null
      for (const handleNow of requests) handleNow()
    },
  }
}

/** Tells the client to send nothing more on this connection. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}
