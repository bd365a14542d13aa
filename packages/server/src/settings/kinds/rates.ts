import { HOUR, MINUTE } from '../../kernel/clock.ts'
import { list, optional, record } from '../../kernel/setting-kinds/compounds.ts'
import { type Kind, read, textual } from '../../kernel/setting-kinds/kind.ts'
import { type Rate, type RateInput, rate } from '../../kernel/setting-kinds/times.ts'

/** A rate, and what it counts: requests of a client address, an account or a user. */
export type RatePer = Rate & { readonly per: 'ip' | 'key' | 'user' }

/** Several limits are a list, or one text with commas. */
export type RateLimitsInput<Per extends string> =
  | RateLimitInput<Per>
  | readonly RateLimitInput<Per>[]
  | 'none'
  | null

export type RateLimitInput<Per extends string> = `${RateInput}/${Per}`

/**
 * One kind for each set of things that an event can be counted by. A limit that could never apply
 * is refused.
 */
function limitsPer<Per extends RatePer['per']>(
  example: string,
  ...words: Per[]
): Kind<readonly RatePer[], RateLimitsInput<Per>> {
  const named = words.length > 1 ? `<${words.join('|')}>` : words[0]
  const rateLimit: Kind<RatePer, RateLimitInput<Per>> = textual(
    `<count>/<period>/${named}, such as ${example}`,
    (input) => {
      const cut = Math.max(input.lastIndexOf('/'), 0)
      const per = words.find((word) => word === input.slice(cut + 1).toLowerCase())
      const of = read(rate, input.slice(0, cut))
      return of && per ? { ...of, per } : undefined
    },
    (limit) => `${rate.show(limit)}/${limit.per}`,
  )
  return list(rateLimit)
}

const byAny = limitsPer('10/5m/key', 'ip', 'key', 'user')
const byClient = limitsPer('20/m/ip', 'ip')

/** What has a limit, and what each can be counted by. */
const limits = {
  login_failed: byAny,
  mfa_failed: byAny,
  reset_mail: byAny,
  verify_mail: byAny,
  code_mail: byAny,
  signup: byClient,
  passkey_begin: byClient,
  social: byClient,
  change_name: limitsPer('10/h/user', 'user', 'ip'),
  notice_mail: limitsPer('10/h/key', 'key', 'user'),
  invitation_mail: limitsPer('3/h/key', 'key', 'user'),
}

export type RateLimits = {
  /** An empty list means no limit. */
  readonly [event in keyof typeof limits]: readonly RatePer[]
}

const perIp = (count: number): RatePer => ({ count, windowMs: MINUTE, per: 'ip' })

/** A few mails to each address, and a limit per client. */
const mails: readonly RatePer[] = [{ count: 3, windowMs: 15 * MINUTE, per: 'key' }, perIp(20)]

export const defaultRateLimits: RateLimits = {
  login_failed: [
    { count: 10, windowMs: 5 * MINUTE, per: 'key' },
    { count: 100, windowMs: 10 * MINUTE, per: 'ip' },
  ],
  mfa_failed: [{ count: 10, windowMs: 15 * MINUTE, per: 'user' }],
  reset_mail: mails,
  verify_mail: mails,
  code_mail: mails,
  signup: [perIp(20)],
  passkey_begin: [perIp(60)],
  social: [perIp(60)],
  change_name: [{ count: 10, windowMs: HOUR, per: 'user' }],
  notice_mail: [{ count: 10, windowMs: HOUR, per: 'key' }],
  invitation_mail: [
    { count: 3, windowMs: HOUR, per: 'key' },
    { count: 20, windowMs: HOUR, per: 'user' },
  ],
}

export const rateLimits = record(
  limits,
  (given): RateLimits => ({ ...defaultRateLimits, ...given }),
)

export type ThrottleRates = { readonly auth_service: Rate | null }

/** `none` and `null` mean no limit. */
export type ThrottleRateInput = RateInput | 'none' | null

const throttleRate: Kind<Rate | null, ThrottleRateInput> = optional(rate)

export const throttleRates = record(
  { auth_service: throttleRate },
  ({ auth_service = null }): ThrottleRates => ({ auth_service }),
)
