import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SECOND } from '../kernel/clock.ts'
import { aroundRequests } from './harden-server.ts'

/** How long connections are taken from the queue of the system. A flood would never empty it. */
const QUEUE_IS_LEFT_AFTER = 1.5 * SECOND
/** A request may be on its way to a connection that looks idle. It has this long to arrive. */
const IDLE_IS_ENDED_AFTER = 1 * SECOND
/** By now the client knows. A client that stays, or sends its headers very slowly, is cut off. */
const IDLE_IS_CUT_AFTER = 2 * SECOND
const UNFINISHED_REQUEST_IS_CUT_AFTER = 3 * SECOND
/** Leaves time for what follows (the current mail, the database) before the process is ended. */
const ALL_IS_CUT_AFTER = 5.5 * SECOND

export type Stopping = {
  /** How long new connections are accepted after the signal. */
  delayMs(): number
  /** All sockets that bring connections to the server. */
  readonly listeners: readonly Listener[]
}

/**
 * Closes the connections of a server without losing a request. Node itself would close all idle
 * connections at once, and so reset those on which a request has just been sent.
 */
export function createDrain(server: Server, stopping: Stopping): () => Promise<void> {
  const open = new Set<Socket>()
  const underWay = new Set<ServerResponse>()
  let isDraining = false
  let connections = 0
  /** Requests that wait while the queue of the system is emptied. */
  let held: (() => void)[] | null = null

  server.on('connection', (socket: Socket) => {
    connections += 1
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  aroundRequests(server, (handle) => (request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response)
    response.on('close', onAnswered)
    if (isDraining) announceEnd(response)
    if (held) held.push(() => handle(request, response))
    else handle(request, response)
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
    const delayMs = stopping.delayMs()
    if (delayMs > 0) await new Promise((over) => setTimeout(over, delayMs))
    const lastCut = setTimeout(() => each(open, 'destroy'), ALL_IS_CUT_AFTER)
    await emptyQueue()
    const ended = stopListening(stopping.listeners)
    release()
    const timers = [
      lastCut,
      setTimeout(() => each(idle(), 'end'), IDLE_IS_ENDED_AFTER),
      setTimeout(() => each(idle(), 'destroy'), IDLE_IS_CUT_AFTER),
      setTimeout(() => {
        for (const { req } of unfinished()) req.socket.destroy()
        each(idle(), 'destroy')
      }, UNFINISHED_REQUEST_IS_CUT_AFTER),
    ]
    await ended
    for (const timer of timers) clearTimeout(timer)
  }

  /**
   * Accepts the connections that wait in the queue of the system. It would reset them when the
   * listener is closed. Node accepts one in each turn of its loop, so a turn without one means that
   * the queue is empty. Meanwhile no request is handled: turns stay short, and clients that would
   * connect again after their answer do not fill the queue.
   */
  async function emptyQueue(): Promise<void> {
    held = []
    const end = performance.now() + QUEUE_IS_LEFT_AFTER
    // The rest of this turn accepts nothing more.
    await nextTurn()
    for (let before = -1; before !== connections && performance.now() < end; ) {
      before = connections
      await nextTurn()
    }
  }

  function release(): void {
    const requests = held ?? []
    held = null
    for (const handle of requests) handle()
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
 * Closes the listeners, and waits until their connections have ended. Does not use the `close` of an
 * HTTP server, which closes idle connections at once.
 */
async function stopListening(listeners: readonly Listener[]): Promise<void> {
  const closed = (listener: Listener) =>
    new Promise<void>((resolve) => {
      Listener.prototype.close.call(listener, () => resolve())
    })
  await Promise.all(listeners.map(closed))
}
