import { digest } from '../../crypto/digest.ts'
import { type Clock, SECOND } from '../../kernel/clock.ts'
import { throttled } from '../../problems.ts'
import type { LimitsStore } from './limits-store.ts'

/** So many in so long; every limit of the service is one of these. */
export type Rate = { count: number; windowMs: number }

/** What is counted together: a name for the rule, and whom it counts. */
export type Counted = { rule: string; subject: string; rate: Rate }

export type Limits = ReturnType<typeof createLimits>

/** Sliding windows, exact under parallel use, shared by all instances, kept over a restart. */
export function createLimits(store: LimitsStore, clock: Clock) {
  const secondsLeft = async (
    { rate, ...counted }: Counted,
    within: LimitsStore = store,
  ): Promise<number> => {
    const hit = await within.blockingHit(keyOf(counted), rate.count)
    const leftMs = hit === undefined ? 0 : hit + rate.windowMs - clock.now()
    return Math.max(0, Math.ceil(leftMs / SECOND))
  }

  /** Counts one, or tells that it would be one too many: for limits that are kept silently. */
  const tryTake = (counted: Counted, within: LimitsStore = store): Promise<boolean> =>
    within.take(keyOf(counted), counted.rate.count, counted.rate.windowMs, clock.now())

  return {
    tryTake,

    /** Counts one, or refuses with the time that is left. */
    async take(counted: Counted, within: LimitsStore = store): Promise<void> {
      if (await tryTake(counted, within)) return
      throw throttled(Math.max(1, await secondsLeft(counted, within)))
    },

    /** Takes back the newest, for what was counted before it was known to be good. */
    giveBack: (counted: Counted, within: LimitsStore = store) => within.giveBack(keyOf(counted)),

    async isReached(counted: Counted, within: LimitsStore = store): Promise<boolean> {
      return (await secondsLeft(counted, within)) > 0
    },

    /** Refuses while the limit is reached, and counts nothing. */
    async check(counted: Counted): Promise<void> {
      const seconds = await secondsLeft(counted)
      if (seconds > 0) throw throttled(seconds)
    },

    forget: (counted: Omit<Counted, 'rate'>) => store.forget(keyOf(counted)),
  }
}

/** Subjects are names and addresses of people: a digest is enough to count by, and bounded. */
const keyOf = ({ rule, subject }: Omit<Counted, 'rate'>): string => `${rule}:${digest(subject)}`
