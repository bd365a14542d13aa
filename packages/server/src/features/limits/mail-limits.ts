import type { Handle } from '../../storage/handle.ts'
import { countedBy, type RatePer } from './counted-by.ts'
import type { Limits } from './limits.ts'

export type MailLimits = ReturnType<typeof createMailLimits>

/**
 * Limits how many mails of one kind can be caused to one address. The limit is silent, and counts
 * the address as it was given, whether or not a user has it. Otherwise it would tell who has an
 * account. Requests per client are limited by `client-limits.ts`.
 */
export function createMailLimits(limits: Limits, rule: string, rates: readonly RatePer[]) {
  const perRecipient = rates.filter(isPerRecipient)

  return {
    async mayMail(email: string, within?: Handle): Promise<boolean> {
      let may = true
      for (const one of countedBy(rule, perRecipient, { account: email, address: '' })) {
        may = (await limits.tryTake(one, within)) && may
      }
      return may
    },
  }
}

/** An address that gets no more mails gets the next one within this time. */
export const longestPause = (rates: readonly RatePer[]): number =>
  Math.max(0, ...rates.filter(isPerRecipient).map(({ windowMs }) => windowMs))

const isPerRecipient = ({ per }: RatePer): boolean => per !== 'ip'
