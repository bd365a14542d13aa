import type { Throttle } from '../../core/limits.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { accountOf } from './counted-by.ts'
import type { Limits, Rate } from './limits.ts'

const RULE = 'auth_service'

/** One counter per user or, for anonymous requests, per client address, whatever the endpoint. */
export function createThrottle(limits: Limits, rate: Rate): Throttle {
  return async (identity, address) => {
    const subject = identity ? accountOf(identity.user) : `ip:${address}`
    await limits.take({ rule: RULE, subject, rate })
  }
}

export const forgetThrottled = (limits: Limits, user: User, tx: Tx): Promise<void> =>
  limits.forget({ rule: RULE, subject: accountOf(user) }, tx)
