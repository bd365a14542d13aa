import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { SECOND } from '../kernel/clock.ts'
import { connectionsOf } from './connections.ts'

/** How long connections are taken from the queue of the system. A flood would never empty it. */
const QUEUE_IS_LEFT_AFTER = 1.5 * SECOND
/** A request may be on its way to a connection that looks idle. It has this long to arrive. */
const IDLE_IS_ENDED_AFTER = 1 * SECOND
/** By now the client knows. A client that stays, or sends its headers very slowly, is cut off. */
const IDLE_IS_CUT_AFTER = 2 * SECOND
const UNFINISHED_REQUEST_IS_CUT_AFTER = 3 * SECOND
/** Leaves time for what follows (the current mail, the database) before the process is ended. */
const ALL_IS_CUT_AFTER = 5.5 * SECOND

/** A server, and all sockets that bring connections to it. */
export type Served = { readonly app: FastifyInstance; readonly listeners: Listener[] }

/**
 * Closes the connections of a server without losing a request. Node itself would close all idle
 * connections at once, and so reset those on which a request has just been sent. New ones are
 * accepted for another `delayMs`.
 */
export function createDrain({ app, listeners }: Served): (delayMs: number) => Promise<void> {
  const connections = connectionsOf(app.server)

  return async (delayMs) => {
    connections.end()
    if (delayMs > 0) await new Promise((over) => setTimeout(over, delayMs))
    const lastCut = setTimeout(() => each(connections.all(), 'destroy'), ALL_IS_CUT_AFTER)
    await emptyQueue()
    const ended = stopListening(listeners)
    connections.release()
    const timers = [
      lastCut,
      setTimeout(() => each(connections.idle(), 'end'), IDLE_IS_ENDED_AFTER),
      setTimeout(() => each(connections.idle(), 'destroy'), IDLE_IS_CUT_AFTER),
      setTimeout(() => {
        each(connections.sending(), 'destroy')
        each(connections.idle(), 'destroy')
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
    connections.hold()
    const end = performance.now() + QUEUE_IS_LEFT_AFTER
    // The rest of this turn accepts nothing more.
    await nextTurn()
    for (let before = -1; before !== connections.count() && performance.now() < end; ) {
      before = connections.count()
      await nextTurn()
    }
  }
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
