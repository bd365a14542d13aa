import type { Handle } from '../../storage/handle.ts'
import { countedBy, type RatePer } from './counted-by.ts'
import type { Limits } from './limits.ts'

export type MailLimits = ReturnType<typeof createMailLimits>

/**
 * How many mails of one kind anybody can have sent to one address. Kept silently, and by the
 * address as it was given, whether or not somebody has it: a limit must not tell who has an
 * account. How many one client can ask for is counted at the door.
 */
export function createMailLimits(limits: Limits, rule: string, rates: readonly RatePer[]) {
  const perRecipient = rates.filter(({ per }) => per !== 'ip')

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
