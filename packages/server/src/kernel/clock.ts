/** Milliseconds since the epoch. The only source of time in the service. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

/** ISO 8601, in UTC. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

export const isoTimeOrNull = (ms: number | null): string | null =>
  ms === null ? null : isoTime(ms)

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The clocks of several instances may differ by some seconds. */
export const CLOCK_DIFFERENCE = 5 * SECOND

/**
 * False for a time in the future too, which is one from before the clock was set back. Another instance
 * may have written it, so it may be slightly ahead.
 */
export const isWithin = (ms: number, since: number, now: number): boolean =>
  since <= now + CLOCK_DIFFERENCE && now < since + ms

/**
 * How long a spent token or proof is kept after it has expired. Otherwise a sweep while the clock is
 * ahead would delete it, and it could be used again when the clock is set back.
 */
export const KEEP_SPENT = 24 * HOUR
