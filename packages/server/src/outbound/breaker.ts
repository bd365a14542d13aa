import { type Clock, SECOND } from '../kernel/clock.ts'

const FAILURES = 5
const PAUSE = 10 * SECOND

/**
 * After some failures in a row nobody waits for that party any more, for a while. Only what costs
 * waiting counts: an answer that came, however bad, does no harm, and could be provoked.
 */
export function createBreaker(clock: Clock) {
  let failures = 0
  let closedUntil = 0

  return {
    /** Zero when calls may be made. */
    secondsLeft: (): number => Math.max(0, Math.ceil((closedUntil - clock.now()) / SECOND)),

    noteAnswer(): void {
      failures = 0
    },

    noteFailure(): void {
      failures += 1
      if (failures >= FAILURES) closedUntil = clock.now() + PAUSE
    },
  }
}
