import { SECOND } from '../kernel/clock.ts'
import { createDrain, type Served } from './drain.ts'

/** How long a server has to stop, without its delay. */
export const FORCE_AFTER = 9 * SECOND

/** Under npm one Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_SIGNAL = 0.25 * SECOND

/** Time for the last lines of the log. A stalled reader would never take them. */
const LAST_WORDS = 0.5 * SECOND

/** How the process is told to stop, and how it exits. */
export type ProcessEnd = { onSignal(stop: () => void): void; exit(code: number): void }

/** The first signal stops, and a second one ends the process at once. */
export function onStopSignals(onSignal: ProcessEnd['onSignal'], stop: () => void, end: () => void) {
  let isStopping = false
  let isImpatient = false
  onSignal(() => {
    if (isImpatient) end()
    if (isStopping) return
    isStopping = true
    setTimeout(() => {
      isImpatient = true
    }, SAME_SIGNAL).unref()
    stop()
  })
}

/**
 * Resolves when the server was told to stop and has stopped: it accepts connections until the delay is
 * over, and finishes their requests. A second signal, or too long a wait, ends the process at once.
 * `other` is another server of the process, which stops at the same time, and before the service.
 */
export function untilStopped(
  main: Served,
  other: Served | null,
  { onSignal, exit }: ProcessEnd,
  delayMs: () => number,
): Promise<void> {
  const { app } = main
  const drains = [main, ...(other ? [other] : [])].map(createDrain)
  const drain = async () => {
    await Promise.all(drains.map((one) => one(delayMs())))
    await other?.app.close()
  }
  // Drains before the database and the mails are closed. It is a plugin of its own, since hooks of
  // the root run first: at that point `/readyz` must already say that the service is not ready.
  app.register(async (last) => void last.addHook('preClose', drain))
  // Never cleared, so that the process ends even if something keeps it alive.
  const endAfter = (ms: number) => setTimeout(() => exit(0), ms).unref()

  return new Promise((resolve, reject) => {
    function stop(): void {
      endAfter(delayMs() + FORCE_AFTER)
      app.close().then(() => {
        endAfter(LAST_WORDS)
        resolve()
      }, reject)
    }
    onStopSignals(onSignal, stop, () => exit(1))
  })
}
