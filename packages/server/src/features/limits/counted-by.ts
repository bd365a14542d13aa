import type { User } from '../../storage/schema.ts'
import type { Counted, Rate } from './limits.ts'

/** A rate, and what it counts: by account (`key` or `user`) or by client address. */
export type RatePer = Rate & { per: 'key' | 'ip' | 'user' }

/** The account, existing or not, and the client address of an attempt. */
export type Attempt = { account: string; address: string }

export const accountOf = ({ id }: Pick<User, 'id'>): string => `user:${id}`

/** Each rate has its own counter, even if several count the same thing. */
export const countedBy = (
  rule: string,
  rates: readonly RatePer[],
  { account, address }: Attempt,
): (Counted & { rate: RatePer })[] =>
  rates.map((rate) => ({
    rule: `${rule}-${rate.per}-${rate.count}-${rate.windowMs}`,
    subject: rate.per === 'ip' ? address : account,
    rate,
  }))
