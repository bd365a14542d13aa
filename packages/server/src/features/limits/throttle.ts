import type { ClientLimit, ClientLimits, Throttle } from '../../core/limits.ts'
import { isFrozen } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { accountOf, createRateLimit, type Limits, type Rate, type RatePer } from './limits.ts'

const RULE = 'auth_service'

/** Counts all requests of a user together or, if they are anonymous, of a client address. */
export function createThrottle(limits: Limits, rate: Rate): Throttle {
  return async (identity, address) => {
    const subject = identity ? accountOf(identity.user) : `ip:${address}`
    const counted = { rule: RULE, subject, rate }
    await limits.take(counted).catch((error) => {
      // Reads go on while the database is copied, and cannot be counted.
      if (isFrozen(error)) return limits.check(counted)
      throw error
    })
  }
}

export const forgetThrottled = (limits: Limits, user: User, tx: Tx): Promise<void> =>
  limits.forget({ rule: RULE, subject: accountOf(user) }, tx)

type Rates = { readonly [Name in ClientLimit]: readonly RatePer[] }

/**
 * Limits per client address. They are checked before the body is read, so that a refused request
 * neither hashes, writes nor mails anything.
 */
export function createClientLimits(limits: Limits, rates: Rates): ClientLimits {
  return async (name, address) => {
    const perClient = rates[name].filter(({ per }) => per === 'ip')
    await createRateLimit(limits, name, perClient).count({ account: '', address })
  }
}
