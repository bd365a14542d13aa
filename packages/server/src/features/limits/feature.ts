import { feature } from '../feature.ts'
import { createFailedLogins } from './failed-logins.ts'
import { createLimits } from './limits.ts'

export const limitsFeature = feature('limits', ({ db, clock, settings }) => {
  const limits = createLimits({ db, clock })
  const failedLogins = createFailedLogins(limits, settings.ACCOUNT.RATE_LIMITS.login_failed)
  return {
    service: { limits, failedLogins },
    sweeps: [{ table: 'limits', forget: limits.forgetExpired }],
  }
})
