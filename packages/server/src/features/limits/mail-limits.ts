import type { Handle } from '../../storage/handle.ts'
import { createRateLimit, type Limits, type RatePer } from './limits.ts'

export type MailLimits = ReturnType<typeof createMailLimits>

/**
 * Limits mails of one kind to one address. The limit is silent and counts any address, whether or not
 * a user has it. Otherwise it would tell who has an account.
 */
export function createMailLimits(limits: Limits, rule: string, rates: readonly RatePer[]) {
  const { countersOf } = createRateLimit(limits, rule, rates.filter(isPerRecipient))

  return {
    async mayMail(email: string, within?: Handle): Promise<boolean> {
      let may = true
      for (const one of countersOf({ account: email, address: '' })) {
        may = (await limits.tryTake(one, within)) && may
      }
      return may
    },
  }
}

/** The longest time that an address has to wait for its next mail. */
export const longestPause = (rates: readonly RatePer[]): number =>
  Math.max(0, ...rates.filter(isPerRecipient).map(({ windowMs }) => windowMs))

const isPerRecipient = ({ per }: RatePer): boolean => per !== 'ip'
