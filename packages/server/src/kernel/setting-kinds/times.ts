import { DAY, HOUR, MINUTE, SECOND } from '../clock.ts'
import { type Kind, kind, textual } from './kind.ts'
import { toNumber } from './scalars.ts'

/** At most `count` events within `windowMs`. */
export type Rate = { readonly count: number; readonly windowMs: number }

const UNITS: Readonly<Record<string, number>> = { d: DAY, h: HOUR, m: MINUTE, s: SECOND }

const RATE = /^(\d{1,9})\/(\d{0,9})(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)$/i

/** A longer duration from now could leave the range of `Date`. */
const LONGEST = 36_500 * DAY

type Unit = 's' | 'm' | 'h' | 'd'

/** A number of seconds, or a number with a unit. */
export type DurationInput = number | `${number}${Unit}`

/** In milliseconds. A number without a unit is seconds, as in Django's settings. */
export const duration = ({ least = 1, most = LONGEST }: Range = {}): Kind<number, DurationInput> =>
  kind(
    `a duration${showRange({ least, most })}: seconds, or 30s, 5m, 2h, 1d`,
    (input) => {
      const ms = toMilliseconds(input)
      return ms !== undefined && ms >= least && ms <= most ? ms : undefined
    },
    showDuration,
  )

type Range = { least?: number; most?: number }

function showRange({ least, most }: Required<Range>): string {
  if (most < LONGEST) return ` from ${showDuration(least)} to ${showDuration(most)}`
  return least > 0 ? ' above 0' : ''
}

/** `<count>/<period>`, such as `5/m`, `100/hour` or `10/5m`. */
export type RateInput = `${number}/${number | ''}${Unit}${string}`

export const rate: Kind<Rate, RateInput> = textual(
  '<count>/<period>, such as 5/m, 100/hour or 10/5m',
  (input) => {
    const parts = RATE.exec(input)
    const unit = UNITS[parts?.[3]?.charAt(0).toLowerCase() ?? '']
    if (!parts || !unit) return undefined
    const count = Number(parts[1])
    const windowMs = Number(parts[2] || 1) * unit
    return count > 0 && windowMs > 0 && windowMs <= LONGEST ? { count, windowMs } : undefined
  },
  ({ count, windowMs }) => `${count}/${showDuration(windowMs).replace(/^1(?=[a-z])/, '')}`,
)

function toMilliseconds(input: unknown): number | undefined {
  const parts = typeof input === 'string' ? /^([\d.]+)\s*([smhd])$/i.exec(input.trim()) : null
  const amount = toNumber(parts?.[1] ?? input)
  const unit = UNITS[parts?.[2]?.toLowerCase() ?? 's']
  return amount === undefined || unit === undefined ? undefined : Math.round(amount * unit)
}

/** In the largest unit that gives a whole number. */
function showDuration(ms: number): string {
  const whole = Object.entries(UNITS).find(([, unit]) => ms >= unit && ms % unit === 0)
  const [name, unit] = whole ?? ['s', SECOND]
  return `${ms / unit}${name}`
}
