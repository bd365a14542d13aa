import type { ClientLimit, ClientLimits } from '../../core/limits.ts'
import { countedBy, type RatePer } from './counted-by.ts'
import type { Limits } from './limits.ts'

type Rates = { readonly [Name in ClientLimit]: readonly RatePer[] }

/** Counted before a body is read, so that nothing is hashed, written or mailed beyond them. */
export function createClientLimits(limits: Limits, rates: Rates): ClientLimits {
  return async (name, address) => {
    const perClient = rates[name].filter(({ per }) => per === 'ip')
    for (const one of countedBy(name, perClient, { account: '', address })) await limits.take(one)
  }
}
