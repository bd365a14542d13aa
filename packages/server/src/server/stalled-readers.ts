import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { SECOND } from '../kernel/clock.ts'

/** The part of a socket that is watched. */
type Connection = Pick<Socket, 'writableLength' | 'bytesWritten' | 'resetAndDestroy'>

const LOOK_EVERY = SECOND
/** After so many checks without progress the client is cut off. */
const LOOKS_MAX = 10

/**
 * Cuts off clients that do not read their answers. Such a client holds memory, here and in the
 * kernel. The time-out of the connection does not end it as long as it goes on sending. So only the
 * bytes that it takes are watched.
 */
export function cutStalledReaders(server: Server): void {
  const watch = createStallWatch(LOOKS_MAX)
  server.on('connection', (socket: Socket) => {
    watch.add(socket)
    socket.once('close', () => watch.remove(socket))
  })
  server.on('listening', () => {
    const timer = setInterval(watch.look, LOOK_EVERY).unref()
    server.once('close', () => clearInterval(timer))
  })
}

export function createStallWatch(looksMax: number) {
  const looksAt = new Map<Connection, { taken: number; looks: number }>()

  return {
    add: (connection: Connection) => void looksAt.set(connection, { taken: 0, looks: 0 }),
    remove: (connection: Connection) => void looksAt.delete(connection),

    look(): void {
      for (const [connection, seen] of looksAt) {
        const { writableLength, bytesWritten } = connection
        const taken = bytesWritten - writableLength
        const isStalled = writableLength > 0 && taken === seen.taken
        seen.taken = taken
        seen.looks = isStalled ? seen.looks + 1 : 0
        // A reset, since after a normal close the kernel would keep the rest for minutes.
        if (seen.looks >= looksMax) connection.resetAndDestroy()
      }
    },
  }
}
