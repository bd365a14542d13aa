import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { SECOND } from '../kernel/clock.ts'

/** What a watch has to know of a connection. */
type Connection = Pick<Socket, 'writableLength' | 'bytesWritten' | 'resetAndDestroy'>

const LOOK_EVERY = SECOND
/** Looks in a row at which a client has taken nothing of what waits for it. */
const LOOKS_MAX = 10

/**
 * A client that does not read its answers holds memory, here and in the kernel, and the time-out of
 * a connection does not end it as long as the client goes on sending. So what it takes is watched,
 * and nothing else.
 */
export function cutStalledReaders(
  server: Server,
  { lookEvery = LOOK_EVERY, looksMax = LOOKS_MAX } = {},
): void {
  const watch = createStallWatch(looksMax)
  server.on('connection', (socket: Socket) => {
    watch.add(socket)
    socket.once('close', () => watch.remove(socket))
  })
  server.on('listening', () => {
    const timer = setInterval(watch.look, lookEvery).unref()
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
        // A reset, since after an orderly end the kernel would keep what is left for minutes.
        if (seen.looks >= looksMax) connection.resetAndDestroy()
      }
    },
  }
}
