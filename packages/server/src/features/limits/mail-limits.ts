import { countedBy, type RatePer } from './counted-by.ts'
import type { Limits } from './limits.ts'
import type { LimitsStore } from './limits-store.ts'

export type MailLimits = ReturnType<typeof createMailLimits>

/** To which address, on whose behalf. */
export type MailRequest = { email: string; client: string }

/**
 * How many mails of one kind anybody can have sent. Kept silently, and by the address as it was
 * given, whether or not somebody has it: a limit must not tell who has an account.
 */
export function createMailLimits(limits: Limits, rule: string, rates: readonly RatePer[]) {
  return {
    async mayMail({ email, client }: MailRequest, within?: LimitsStore): Promise<boolean> {
      let may = true
      for (const one of countedBy(rule, rates, { account: email, address: client })) {
        may = (await limits.tryTake(one, within)) && may
      }
      return may
    },
  }
}
