import { digest } from '../../crypto/digest.ts'
import type { User } from '../../storage/schema.ts'
import type { Counted, Rate } from './limits.ts'

/** A rate, and what it counts: by account (`key` or `user`) or by client address. */
export type RatePer = Rate & { per: 'key' | 'ip' | 'user' }

/** The account, existing or not, and the client address of an attempt. */
export type Attempt = { account: string; address: string }

export const accountOf = ({ id }: Pick<User, 'id'>): string => `user:${id}`

/** The account of a name that nobody has. It may be stored, so it does not tell the name. */
export const accountNamed = (key: string): string => `name:${digest(key)}`

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
