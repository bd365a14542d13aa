import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { SECOND } from '../kernel/clock.ts'
import { connectionsOf } from './connections.ts'

/** The part of a socket that is watched. */
type Connection = Pick<
  Socket,
  'writableLength' | 'bytesWritten' | 'bytesRead' | 'resetAndDestroy' | 'destroy'
>

/** After so many checks without progress a connection is cut off. */
type Patience = {
  /** If the client does not read. */
  reader: number
  /** If nothing is sent in either direction. */
  idle: number
}

const LOOK_EVERY = SECOND
const PATIENCE: Patience = { reader: 10, idle: 72 }

/**
 * Cuts off clients that do not read their answers, and connections on which nothing happens. Both
 * hold memory, here and in the kernel. A time-out of the connection would not end a client that goes
 * on sending, so the bytes that it takes are watched. Besides, Node would set its timer anew with
 * every packet, which took about 5 µs of a request.
 */
export function cutStalledConnections(server: Server): void {
  const look = createStallWatch(PATIENCE, connectionsOf(server).all)
  let timer: NodeJS.Timeout | undefined
  server.on('connection', () => {
    timer ??= setInterval(look, LOOK_EVERY).unref()
  })
  server.once('close', () => clearInterval(timer))
}

type Seen = { taken: number; moved: number; stalled: number; idle: number }

export function createStallWatch(patience: Patience, open: () => Iterable<Connection>): () => void {
  const seenOf = new WeakMap<Connection, Seen>()

  return () => {
    for (const connection of open()) {
      const seen = seenOf.get(connection) ?? { taken: 0, moved: 0, stalled: 0, idle: 0 }
      seenOf.set(connection, seen)
      const { writableLength, bytesWritten, bytesRead } = connection
      const taken = bytesWritten - writableLength
      const moved = taken + bytesRead
      seen.stalled = writableLength > 0 && taken === seen.taken ? seen.stalled + 1 : 0
      seen.idle = moved === seen.moved ? seen.idle + 1 : 0
      seen.taken = taken
      seen.moved = moved
      // A reset, since after a normal close the kernel would keep the rest for minutes.
      if (seen.stalled >= patience.reader) connection.resetAndDestroy()
      else if (seen.idle >= patience.idle) connection.destroy()
    }
  }
}
