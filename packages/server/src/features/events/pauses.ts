import { HOUR, MINUTE, SECOND } from '../../kernel/clock.ts'

/**
 * Between the tries. A short outage is over soon, a long one is waited for: the last try is more
 * than two days after the first.
 */
const PAUSES = [
  2 * SECOND,
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  16 * HOUR,
  24 * HOUR,
]

/** Null after the last try. */
export const pauseAfter = (attempts: number): number | null => PAUSES[attempts - 1] ?? null
