/** Milliseconds since the epoch. The only source of time in the service. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

/** ISO 8601, in UTC. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

export const isoTimeOrNull = (ms: number | null): string | null =>
  ms === null ? null : isoTime(ms)

/** False for a time in the future too, which is one from before the clock was set back. */
export const isWithin = (ms: number, since: number, now: number): boolean =>
  since <= now && now < since + ms

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The clocks of several instances may differ by some seconds. */
export const CLOCK_DIFFERENCE = 5 * SECOND
