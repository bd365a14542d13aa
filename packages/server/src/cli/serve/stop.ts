import type { FastifyInstance } from 'fastify'
import { SECOND } from '../../kernel/clock.ts'
import type { Io } from '../io.ts'

const FORCE_AFTER = 9 * SECOND

/** Under npm one Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL = 0.25 * SECOND

const LOOK_FOR_IDLE_EVERY = 0.05 * SECOND

/**
 * Resolves when the server has been asked to stop, and has: requests under way are finished, new
 * ones find nobody. A second signal, or too long a wait, ends the process as it is.
 */
export const untilStopped = (app: FastifyInstance, { onSignal, exit }: Io): Promise<void> =>
  new Promise((resolve, reject) => {
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
      close(app).then(resolve, reject)
    })
  })

async function close(app: FastifyInstance): Promise<void> {
  // A client may keep its connection after the last answer, and the server would wait for it.
  const timer = setInterval(() => app.server.closeIdleConnections(), LOOK_FOR_IDLE_EVERY)
  try {
    await app.close()
  } finally {
    clearInterval(timer)
  }
}
