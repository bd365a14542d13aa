import { impersonationIn } from '../../core/identity.ts'
import type { ClientLimits, Throttle } from '../../core/limits.ts'
import { digest } from '../../crypto/digests.ts'
import { SECOND } from '../../kernel/clock.ts'
import { throttled } from '../../kernel/problems.ts'
import type { Rate } from '../../kernel/setting-kinds/times.ts'
import type { RateLimits, RatePer } from '../../settings/kinds/rates.ts'
import { isFrozen } from '../../storage/faults.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { Context } from '../feature.ts'
import {
  findBlockingHit,
  forgetAllHits,
  forgetHits,
  giveHitBack,
  lastCounted,
  takeHit,
} from './limits-queries.ts'

/** A rule, and the account or address that it counts. */
export type Counted = { rule: string; subject: string; rate: Rate }

export type Limits = ReturnType<typeof createLimits>

/** Sliding windows: exact under parallel requests, shared by all instances, kept over a restart. */
export function createLimits({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const secondsLeft = async (
    { rate, ...counted }: Counted,
    within: Handle = db,
  ): Promise<number> => {
    const hit = await findBlockingHit(within, keyOf(counted), rate.count)
    const now = clock.now()
    if (hit === undefined || hit > lastCounted(rate.windowMs, now)) return 0
    return Math.max(0, Math.ceil((hit + rate.windowMs - now) / SECOND))
  }

  /** The time until none of them refuses any more. */
  const longestWait = async (all: readonly Counted[], within?: Handle): Promise<number> => {
    let longest = 0
    for (const one of all) longest = Math.max(longest, await secondsLeft(one, within))
    return longest
  }

  /** Counts one, or returns false if that would be too many. For limits that refuse silently. */
  const tryTake = (counted: Counted, within: Handle = db): Promise<boolean> =>
    takeHit(within, keyOf(counted), counted.rate.count, counted.rate.windowMs, clock.now())

  /** Removes the newest count, for an attempt that was right or was refused after all. */
  const giveBack = (counted: Counted, within: Handle = db) => giveHitBack(within, keyOf(counted))

  /** Counts one in each. If one of them refuses, none is counted. */
  const tryTakeAll = async (all: readonly Counted[], within?: Handle): Promise<boolean> => {
    for (const [index, one] of all.entries()) {
      if (await tryTake(one, within)) continue
      for (const taken of all.slice(0, index)) await giveBack(taken, within)
      return false
    }
    return true
  }

  /** Counts one in each, or refuses and says how long to wait. */
  const takeAll = async (all: readonly Counted[], within?: Handle): Promise<void> => {
    if (await tryTakeAll(all, within)) return
    throw throttled(Math.max(1, await longestWait(all, within)))
  }

  /** Refuses while one of the limits is reached, and counts nothing. */
  const checkAll = async (all: readonly Counted[]): Promise<void> => {
    const seconds = await longestWait(all)
    if (seconds > 0) throw throttled(seconds)
  }

  return {
    tryTake,
    tryTakeAll,
    takeAll,
    checkAll,
    giveBack,

    async isReached(counted: Counted, within: Handle = db): Promise<boolean> {
      return (await secondsLeft(counted, within)) > 0
    },

    forget: (counted: Omit<Counted, 'rate'>, within: Handle = db) =>
      forgetHits(within, keyOf(counted)),

    /** Forgets all counts, for the test service. */
    forgetAll: (): Promise<void> => forgetAllHits(db),
  }
}

/** Subjects are personal data of any length. For counting, a digest is enough. */
const keyOf = ({ rule, subject }: Omit<Counted, 'rate'>): string => `${rule}:${digest(subject)}`

/** The account, existing or not, and the client address of an attempt. */
export type Attempt = { account: string; address: string }

export const accountOf = ({ id }: Pick<User, 'id'>): string => `user:${id}`

/** The account for a name that nobody has. It may be stored, so it hides the name. */
export const accountNamed = (key: string): string => `name:${digest(key)}`

export type RateLimit = ReturnType<typeof createRateLimit>

/** A limit with rates per account and per client address. Each rate has its own counter. */
export function createRateLimit(limits: Limits, rule: string, rates: readonly RatePer[]) {
  const countersOf = ({ account, address }: Attempt): (Counted & { rate: RatePer })[] =>
    rates.map((rate) => ({
      rule: `${rule}-${rate.per}-${rate.count}-${rate.windowMs}`,
      subject: rate.per === 'ip' ? address : account,
      rate,
    }))

  return {
    countersOf,

    /** Refuses if a rate is used up, and counts nothing. */
    refuseIfTooMany: (attempt: Attempt): Promise<void> => limits.checkAll(countersOf(attempt)),

    /** True if a counter has reached `count`, or its own limit if that is lower. */
    async hasReached(count: number, attempt: Attempt): Promise<boolean> {
      for (const one of countersOf(attempt)) {
        const rate = { ...one.rate, count: Math.min(count, one.rate.count) }
        if (await limits.isReached({ ...one, rate })) return true
      }
      return false
    },

    /** Counts the attempt, or refuses it. */
    count: (attempt: Attempt, within?: Handle): Promise<void> =>
      limits.takeAll(countersOf(attempt), within),

    /**
     * Checks a guess. The limit is asked twice: the check before the guess saves the work for a locked
     * account. The check after it refuses a right guess if parallel wrong guesses have used up the limit
     * meanwhile. Returns what was found, or null for a wrong guess, which is counted.
     */
    async guess<T>(attempt: Attempt, check: () => Promise<T | null>): Promise<T | null> {
      await limits.checkAll(countersOf(attempt))
      const found = await check()
      if (found === null) await limits.takeAll(countersOf(attempt))
      else await limits.checkAll(countersOf(attempt))
      return found
    },

    /** Keeps the counts of addresses: an attacker could clear them with an account of their own. */
    async forgive({ account }: Pick<Attempt, 'account'>, within?: Handle): Promise<void> {
      for (const one of countersOf({ account, address: '' })) {
        if (one.rate.per !== 'ip') await limits.forget(one, within)
      }
    },
  }
}

export type MailLimits = ReturnType<typeof createMailLimits>

/**
 * Limits mails of one kind to one address. The limit is silent and counts any address, whether or not
 * a user has it. Otherwise it would tell who has an account.
 */
export function createMailLimits(limits: Limits, rule: string, rates: readonly RatePer[]) {
  const { countersOf } = createRateLimit(limits, rule, rates.filter(isPerRecipient))
  const countersTo = (email: string) => countersOf({ account: email, address: '' })

  return {
    countersTo,
    mayMail: (email: string, within?: Handle): Promise<boolean> =>
      limits.tryTakeAll(countersTo(email), within),
  }
}

export type NoticeLimits = ReturnType<typeof createNoticeLimits>

/**
 * Limits notices to users. An unproved address may be somebody else's. So it gets no more notices than
 * verification mails, and they do not use up those of its owner.
 */
export function createNoticeLimits(
  limits: Limits,
  rule: string,
  rates: Pick<RateLimits, 'notice_mail' | 'verify_mail'>,
) {
  const proved = createMailLimits(limits, rule, rates.notice_mail)
  const unproved = createMailLimits(limits, `unproved-${rule}`, rates.notice_mail)
  const asVerification = createMailLimits(limits, `unverified-${rule}`, rates.verify_mail)

  return {
    async mayNotify({ email, email_verified }: User, within: Handle): Promise<boolean> {
      if (email_verified) return proved.mayMail(email, within)
      const both = [...asVerification.countersTo(email), ...unproved.countersTo(email)]
      return limits.tryTakeAll(both, within)
    },
  }
}

/**
 * Counts requests that mail nothing, apart from the mails to that address. Otherwise strangers could use
 * up the mails of an address before its owner registers. No address begins like this.
 */
export const unmailed = (address: string): string => `unmailed:${address}`

/** The longest time that an address has to wait for its next mail. */
export const longestPause = (rates: readonly RatePer[]): number =>
  Math.max(0, ...rates.filter(isPerRecipient).map(({ windowMs }) => windowMs))

const isPerRecipient = ({ per }: RatePer): boolean => per !== 'ip'

const RULE = 'auth_service'

/** Counts all requests of a user together or, if they are anonymous, of a client address. */
export function createThrottle(limits: Limits, rate: Rate): Throttle {
  return async (identity, address) => {
    // An operator must not use up the limit of the user.
    const isUser = identity && !impersonationIn(identity)
    const subject = isUser ? accountOf(identity.user) : `ip:${address}`
    const counted = [{ rule: RULE, subject, rate }]
    await limits.takeAll(counted).catch((error) => {
      // Reads go on while the database is copied, and cannot be counted.
      if (isFrozen(error)) return limits.checkAll(counted)
      throw error
    })
  }
}

export const forgetThrottled = (limits: Limits, user: User, tx: Tx): Promise<void> =>
  limits.forget({ rule: RULE, subject: accountOf(user) }, tx)

/**
 * Limits per client address. They are checked before the body is read, so that a refused request
 * neither hashes, writes nor mails anything.
 */
export function createClientLimits(limits: Limits, rates: RateLimits): ClientLimits {
  return async (name, address) => {
    const perClient = rates[name].filter(({ per }) => per === 'ip')
    await createRateLimit(limits, name, perClient).count({ account: '', address })
  }
}
