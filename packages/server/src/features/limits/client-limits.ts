import type { ClientLimit, ClientLimits } from '../../core/limits.ts'
import { countedBy, type RatePer } from './counted-by.ts'
import type { Limits } from './limits.ts'

type Rates = { readonly [Name in ClientLimit]: readonly RatePer[] }

/**
 * Limits per client address. They are counted before the body is read, so that a request beyond the
 * limit neither hashes, writes nor mails anything.
 */
export function createClientLimits(limits: Limits, rates: Rates): ClientLimits {
  return async (name, address) => {
    const perClient = rates[name].filter(({ per }) => per === 'ip')
    for (const one of countedBy(name, perClient, { account: '', address })) await limits.take(one)
  }
}
