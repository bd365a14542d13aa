import { MINUTE } from '../../kernel/clock.ts'
import { list, optional, record } from '../../kernel/setting-kinds/compounds.ts'
import { type Kind, read, textual } from '../../kernel/setting-kinds/kind.ts'
import { type Rate, rate } from '../../kernel/setting-kinds/times.ts'

const PER = ['ip', 'key', 'user'] as const

/** A rate, and whose events are counted together. */
export type RateLimit = Rate & { readonly per: (typeof PER)[number] }

export type RateLimits = {
  /** An empty list is no limit. */
  readonly [event in
    | 'login_failed'
    | 'mfa_failed'
    | 'reset_mail'
    | 'verify_mail']: readonly RateLimit[]
}

export const defaultRateLimits: RateLimits = {
  login_failed: [
    { count: 10, windowMs: 5 * MINUTE, per: 'key' },
    { count: 100, windowMs: 10 * MINUTE, per: 'ip' },
  ],
  mfa_failed: [{ count: 10, windowMs: 15 * MINUTE, per: 'user' }],
  reset_mail: [{ count: 3, windowMs: 15 * MINUTE, per: 'key' }],
  verify_mail: [{ count: 3, windowMs: 15 * MINUTE, per: 'key' }],
}

const rateLimit: Kind<RateLimit> = textual(
  `<count>/<period>/<${PER.join('|')}>, such as 10/5m/key`,
  (input) => {
    const cut = Math.max(input.lastIndexOf('/'), 0)
    const per = PER.find((word) => word === input.slice(cut + 1).toLowerCase())
    const of = read(rate, input.slice(0, cut))
    return of && per ? { ...of, per } : undefined
  },
  (limit) => `${rate.show(limit)}/${limit.per}`,
)

const limits = list(rateLimit)

export const rateLimits = record<RateLimits>(
  { login_failed: limits, mfa_failed: limits, reset_mail: limits, verify_mail: limits },
  (given) => ({ ...defaultRateLimits, ...given }),
)

export type ThrottleRates = { readonly auth_service: Rate | null }

export const throttleRates = record<ThrottleRates>(
  { auth_service: optional(rate) },
  ({ auth_service = null }) => ({ auth_service }),
)
