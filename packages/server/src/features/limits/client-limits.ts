import { countedBy, type RatePer } from './counted-by.ts'
import type { Limits } from './limits.ts'

/** What anybody may ask for, so that it is limited per client address. */
export type ClientLimit = 'signup' | 'reset_mail' | 'verify_mail' | 'passkey_begin' | 'social'

type Rates = { readonly [Name in ClientLimit]: readonly RatePer[] }

export type ClientLimits = ReturnType<typeof createClientLimits>

/** Counted before a body is read, so that nothing is hashed, written or mailed beyond them. */
export function createClientLimits(limits: Limits, rates: Rates) {
  return async (name: ClientLimit, address: string): Promise<void> => {
    const perClient = rates[name].filter(({ per }) => per === 'ip')
    for (const one of countedBy(name, perClient, { account: '', address })) await limits.take(one)
  }
}
