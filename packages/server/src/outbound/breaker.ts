import { type Clock, isWithin, SECOND } from '../kernel/clock.ts'

const FAILURES = 5
const PAUSE = 10 * SECOND

/**
 * After several failures in a row, calls fail at once for a while instead of waiting. Only failures
 * without an answer count, since they cost waiting time. Clients could provoke a bad answer.
 */
export function createBreaker(clock: Clock) {
  let failures = 0
  let pausedAt = Number.NEGATIVE_INFINITY

  return {
    /** Zero if calls are allowed. */
    secondsLeft(): number {
      const now = clock.now()
      return isWithin(PAUSE, pausedAt, now) ? Math.ceil((pausedAt + PAUSE - now) / SECOND) : 0
    },

    noteAnswer(): void {
      failures = 0
    },

    noteFailure(): void {
      failures += 1
      if (failures >= FAILURES) pausedAt = clock.now()
    },
  }
}
