import { digest } from '../../crypto/digest.ts'
import { type Clock, SECOND } from '../../kernel/clock.ts'
import { throttled } from '../../kernel/problems.ts'
import type { Db, Handle } from '../../storage/handle.ts'
import { findBlockingHit, forgetHits, giveHitBack, takeHit } from './limits-queries.ts'

/** At most `count` within `windowMs`. Every limit of the service has this form. */
export type Rate = { count: number; windowMs: number }

/** What is counted together: the name of the rule, and whom it counts. */
export type Counted = { rule: string; subject: string; rate: Rate }

export type Limits = ReturnType<typeof createLimits>

/** Sliding windows: exact under parallel requests, shared by all instances, kept over a restart. */
export function createLimits({ db, clock }: { db: Db; clock: Clock }) {
  const secondsLeft = async (
    { rate, ...counted }: Counted,
    within: Handle = db,
  ): Promise<number> => {
    const hit = await findBlockingHit(within, keyOf(counted), rate.count)
    const leftMs = hit === undefined ? 0 : hit + rate.windowMs - clock.now()
    return Math.max(0, Math.ceil(leftMs / SECOND))
  }

  /** Counts one, or returns false if that would be too many. For limits that refuse silently. */
  const tryTake = (counted: Counted, within: Handle = db): Promise<boolean> =>
    takeHit(within, keyOf(counted), counted.rate.count, counted.rate.windowMs, clock.now())

  return {
    tryTake,

    /** Counts one, or refuses and says how long to wait. */
    async take(counted: Counted, within: Handle = db): Promise<void> {
      if (await tryTake(counted, within)) return
      throw throttled(Math.max(1, await secondsLeft(counted, within)))
    },

    /**
     * Removes the newest count, for attempts that are counted first and then turn out to be good.
     */
    giveBack: (counted: Counted, within: Handle = db) => giveHitBack(within, keyOf(counted)),

    async isReached(counted: Counted, within: Handle = db): Promise<boolean> {
      return (await secondsLeft(counted, within)) > 0
    },

    /** Refuses while the limit is reached. Counts nothing. */
    async check(counted: Counted): Promise<void> {
      const seconds = await secondsLeft(counted)
      if (seconds > 0) throw throttled(seconds)
    },

    forget: (counted: Omit<Counted, 'rate'>, within: Handle = db) =>
      forgetHits(within, keyOf(counted)),
  }
}

/**
 * Subjects are names and addresses of people. A digest is enough for counting, and its length is
 * bounded.
 */
const keyOf = ({ rule, subject }: Omit<Counted, 'rate'>): string => `${rule}:${digest(subject)}`
