import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SECOND } from '../../kernel/clock.ts'
import type { Io } from '../io.ts'

const FORCE_AFTER = 9 * SECOND

/** Under npm one Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL = 0.25 * SECOND

const LOOK_FOR_IDLE_EVERY = 0.05 * SECOND
const SILENT_FOR = 0.25 * SECOND

/**
 * Resolves when the server has been asked to stop, and has: requests under way are finished, new
 * ones find nobody. A second signal, or too long a wait, ends the process as it is.
 */
export const untilStopped = (app: FastifyInstance, { onSignal, exit }: Io): Promise<void> =>
  new Promise((resolve, reject) => {
    const connections = openConnections(app)
    let isStopping = false
    let isImpatient = false
    onSignal(() => {
      if (isImpatient) exit(1)
      if (isStopping) return
      isStopping = true
      setTimeout(() => {
        isImpatient = true
      }, SAME_SIGNAL).unref()
      // Never cleared: should anything keep the process from ending by itself, this will not.
      setTimeout(() => exit(0), FORCE_AFTER).unref()
      close(app, connections).then(resolve, reject)
    })
  })

function openConnections({ server }: FastifyInstance): ReadonlySet<Socket> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

async function close(app: FastifyInstance, connections: ReadonlySet<Socket>): Promise<void> {
  // Browsers connect in advance; what has asked for nothing is not idle to `closeIdleConnections`.
  // Only after a while, since a request may have arrived that nobody has read yet.
  const silence = setTimeout(() => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }, SILENT_FOR)
  // A client may keep its connection after the last answer, and the server would wait for it.
  const timer = setInterval(() => app.server.closeIdleConnections(), LOOK_FOR_IDLE_EVERY)
  try {
    await app.close()
  } finally {
    clearTimeout(silence)
    clearInterval(timer)
  }
}
