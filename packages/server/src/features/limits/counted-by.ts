import type { User } from '../../storage/schema.ts'
import type { Counted, Rate } from './limits.ts'

/** A rate, and what it counts: an account (`key` or `user`), or a client address. */
export type RatePer = Rate & { per: 'key' | 'ip' | 'user' }

/** Who did it: to which account, existing or not, and from which address. */
export type Attempt = { account: string; address: string }

export const accountOf = ({ id }: Pick<User, 'id'>): string => `user:${id}`

/** Each rate keeps its own hits, even where several count the same thing. */
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
