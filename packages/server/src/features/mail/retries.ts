import { DAY, HOUR, MINUTE, SECOND } from '../../kernel/clock.ts'

/** After so long a mail is given up, and waits for an operator. */
export const GIVE_UP_AFTER = DAY

const FIRST_PAUSE = SECOND

/**
 * Pauses double. A server that is down is asked again within the minute, so that its return is
 * noticed; one that does not want a certain mail is bothered ever less.
 */
const LONGEST_PAUSE = { unreachable: 45 * SECOND, deferred: 5 * MINUTE, refused: HOUR }

export function pauseAfter(attempts: number, failure: keyof typeof LONGEST_PAUSE): number {
  return Math.min(FIRST_PAUSE * 2 ** Math.min(attempts, 30), LONGEST_PAUSE[failure])
}
