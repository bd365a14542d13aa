import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as ListeningServer, type Socket } from 'node:net'
import { SECOND } from '../kernel/clock.ts'

/** A request may be on its way to a connection that looks idle. It has this long to arrive. */
const IDLE_IS_ENDED_AFTER = 1 * SECOND
/** By now the client knows. A client that stays, or sends its headers very slowly, is cut off. */
const IDLE_IS_CUT_AFTER = 2 * SECOND
const UNFINISHED_REQUEST_IS_CUT_AFTER = 3 * SECOND
/** Leaves time for what follows (the current mail, the database) before the process is ended. */
const ALL_IS_CUT_AFTER = 5.5 * SECOND

/**
 * Closes the connections of a server without losing a request. Node itself would close all idle
 * connections at once, and so reset those on which a request has just been sent.
 */
export function createDrain(server: Server): () => Promise<void> {
  const open = new Set<Socket>()
  const underWay = new Set<ServerResponse>()
  let isDraining = false

  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response)
    response.once('close', onAnswered)
    if (isDraining) announceEnd(response)
  })

  function onAnswered(this: ServerResponse): void {
    underWay.delete(this)
    // This answer did not announce the end: its headers were sent before.
    if (isDraining && isIdle(this.req.socket)) this.req.socket.end()
  }

  function isIdle(socket: Socket): boolean {
    for (const { req } of underWay) if (req.socket === socket) return false
    return true
  }

  const idle = () => [...open].filter(isIdle)
  const unfinished = () => [...underWay].filter(({ req }) => !req.complete)

  return async () => {
    isDraining = true
    for (const response of underWay) announceEnd(response)
    const timers = [
      setTimeout(() => each(idle(), 'end'), IDLE_IS_ENDED_AFTER),
      setTimeout(() => each(idle(), 'destroy'), IDLE_IS_CUT_AFTER),
      setTimeout(() => {
        for (const { req } of unfinished()) req.socket.destroy()
        each(idle(), 'destroy')
      }, UNFINISHED_REQUEST_IS_CUT_AFTER),
      setTimeout(() => each(open, 'destroy'), ALL_IS_CUT_AFTER),
    ]
    await untilAllHaveEnded(server)
    for (const timer of timers) clearTimeout(timer)
  }
}

/** Tells the client to send nothing more on this connection. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

function each(sockets: Iterable<Socket>, verb: 'end' | 'destroy'): void {
  for (const socket of sockets) socket[verb]()
}

/**
 * Stops listening, and waits. Does not use `server.close()`, which closes idle connections at once.
 */
const untilAllHaveEnded = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    ListeningServer.prototype.close.call(server, () => resolve())
  })
