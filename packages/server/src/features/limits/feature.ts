import type { UpToAudit } from '../audit/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { accountOf } from './counted-by.ts'
import { createFailedLogins } from './failed-logins.ts'
import { createLimits } from './limits.ts'
import { forgetThrottled } from './throttle.ts'

export const limitsFeature = feature('limits', ({ db, clock, settings }) => {
  const limits = createLimits({ db, clock })
  const failedLogins = createFailedLogins(limits, settings.ACCOUNT.RATE_LIMITS.login_failed)
  return {
    offers: { limits, failedLogins },
    // What is counted by address stays until its window ends: whoever deletes an account and
    // registers again, over and over, must not flood a mailbox.
    keeps: {
      known: [],
      async erase(user, tx) {
        await failedLogins.forgive({ account: accountOf(user) }, tx)
        await forgetThrottled(limits, user, tx)
      },
    },
    sweeps: [{ table: 'limits', forget: limits.forgetExpired }],
  }
})

export type UpToLimits = UpToAudit & Offers<typeof limitsFeature>
