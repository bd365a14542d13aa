import { MINUTE } from '../../kernel/clock.ts'
import { randomInt } from '../../kernel/random.ts'
import type { Sweeper } from './sweeper.ts'

/** A service that is restarted often sweeps, too. */
const FIRST_WITHIN = MINUTE
const PAUSE = 8 * MINUTE
const PAUSE_VARIES_BY = 4 * MINUTE

/** Sweeps now and then; never on the minute, so that instances started together drift apart. */
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

    /** The batch under way is finished first: the database is closed after this. */
    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(timer)
      await round
    },
  }
}
