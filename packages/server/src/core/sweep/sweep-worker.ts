import { MINUTE } from '../../kernel/clock.ts'
import { randomInt } from '../../kernel/random.ts'
import type { Sweeper } from './sweeper.ts'

/** Soon after the start, so that a service that is restarted often also sweeps. */
const FIRST_WITHIN = MINUTE
const PAUSE = 8 * MINUTE
const PAUSE_VARIES_BY = 4 * MINUTE

/** Sweeps at random intervals, so that instances that start together do not sweep together. */
export function createSweepWorker(sweep: Sweeper) {
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | null = null

  function wakeAfter(ms: number): void {
    timer = setTimeout(() => {
      round = sweep(() => isStopping).finally(() => {
        round = null
        if (!isStopping) wakeAfter(PAUSE + randomInt(PAUSE_VARIES_BY))
      })
    }, ms)
    timer.unref()
  }

  return {
    start: (): void => wakeAfter(randomInt(FIRST_WITHIN)),

    /** Waits for the current batch, since the database is closed next. */
    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(timer)
      await round
    },
  }
}
