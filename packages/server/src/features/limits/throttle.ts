import type { Throttle } from '../../core/limits.ts'
import type { Limits, Rate } from './limits.ts'

/** One bucket per user, or per client address: whatever the path of the endpoint. */
export function createThrottle(limits: Limits, rate: Rate): Throttle {
  return async (identity, address) => {
    const subject = identity ? `user:${identity.user.id}` : `ip:${address}`
    await limits.take({ rule: 'auth_service', subject, rate })
  }
}
