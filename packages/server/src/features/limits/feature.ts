import type { UpToAudit } from '../audit/feature.ts'
import { feature, type Offers } from '../feature.ts'
import {
  accountOf,
  createClientLimits,
  createLimits,
  createRateLimit,
  createThrottle,
  forgetThrottled,
} from './limits.ts'

export const limitsFeature = feature(({ db, clock, settings }) => {
  const limits = createLimits({ db, clock })
  const rates = settings.ACCOUNT.RATE_LIMITS
  const failedLogins = createRateLimit(limits, 'login-failed', rates.login_failed)
  const { auth_service: rate } = settings.REST_FRAMEWORK.DEFAULT_THROTTLE_RATES
  return {
    offers: {
      limits,
      failedLogins,
      clientLimits: createClientLimits(limits, rates),
      /** Null if no rate is set. */
      throttle: rate ? createThrottle(limits, rate) : null,
    },
    // Counts by address stay. Otherwise deleting an account and registering again could flood a
    // mailbox.
    keeps: {
      async erase(user, tx) {
        await failedLogins.forgive({ account: accountOf(user) }, tx)
        await forgetThrottled(limits, user, tx)
      },
    },
    sweeps: [{ table: 'limits', key: 'key', time: 'expires_at' }],
  }
})

export type UpToLimits = UpToAudit & Offers<typeof limitsFeature>
