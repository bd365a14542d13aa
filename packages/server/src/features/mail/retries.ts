import { DAY, HOUR, MINUTE, SECOND } from '../../kernel/clock.ts'

/** After this time a mail is given up and waits for an operator. */
export const GIVE_UP_AFTER = DAY

const FIRST_PAUSE = SECOND

/**
 * Pauses double up to this. An unreachable server is tried every 45 seconds, so that its return is
 * noticed within a minute. A server that refuses a certain mail is asked less and less often.
 */
const LONGEST_PAUSE = { unreachable: 45 * SECOND, deferred: 5 * MINUTE, refused: HOUR }

export function pauseAfter(attempts: number, failure: keyof typeof LONGEST_PAUSE): number {
  return Math.min(FIRST_PAUSE * 2 ** Math.min(attempts, 30), LONGEST_PAUSE[failure])
}
