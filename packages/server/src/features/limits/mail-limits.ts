import type { Limits, Rate } from './limits.ts'
import type { LimitsStore } from './limits-store.ts'

export type MailLimits = ReturnType<typeof createMailLimits>

/** To which address, on whose behalf. */
export type MailRequest = { email: string; client: string }

type MailRate = Rate & { per: 'key' | 'ip' | 'user' }

/**
 * How many mails of one kind anybody can have sent. Kept silently, and by the address as it was
 * given, whether or not somebody has it: a limit must not tell who has an account.
 */
export function createMailLimits(limits: Limits, rule: string, rates: readonly MailRate[]) {
  return {
    async mayMail({ email, client }: MailRequest, within?: LimitsStore): Promise<boolean> {
      let may = true
      for (const rate of rates) {
        const counted =
          rate.per === 'ip'
            ? { rule: `${rule}-ip`, subject: client, rate }
            : { rule, subject: email, rate }
        may = (await limits.tryTake(counted, within)) && may
      }
      return may
    },
  }
}
