import type { FastifyInstance } from 'fastify'
import { SECOND } from '../kernel/clock.ts'
import { createDrain } from './drain.ts'

const FORCE_AFTER = 9 * SECOND

/** Under npm one Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL = 0.25 * SECOND

/** For the last lines of the log; a reader that has stalled will not take them. */
const LAST_WORDS = 0.5 * SECOND

/** How the process is asked to end, and how it is ended. */
type ProcessEnd = { onSignal(stop: () => void): void; exit(code: number): void }

/**
 * Resolves when the server has been asked to stop, and has: requests under way are finished, new
 * ones find nobody. A second signal, or too long a wait, ends the process as it is.
 */
export function untilStopped(app: FastifyInstance, { onSignal, exit }: ProcessEnd): Promise<void> {
  const drain = createDrain(app.server)
  // While what it serves is still there: the database and the mails are closed after that. In a
  // plugin of its own, since hooks of the root run first, and by then the service must have begun
  // to say that it is not ready.
  app.register(async (last) => void last.addHook('preClose', drain))

  return new Promise((resolve, reject) => {
    let isStopping = false
    let isImpatient = false
    onSignal(() => {
      if (isImpatient) exit(1)
      if (isStopping) return
      isStopping = true
      setTimeout(() => {
        isImpatient = true
      }, SAME_SIGNAL).unref()
      // Neither is ever cleared: should anything keep the process from ending, this will not.
      const endAfter = (ms: number) => setTimeout(() => exit(0), ms).unref()
      endAfter(FORCE_AFTER)
      app.close().then(() => {
        endAfter(LAST_WORDS)
        resolve()
      }, reject)
    })
  })
}
