import type { Throttle } from '../../core/limits.ts'
import type { Limits, Rate } from './limits.ts'

/** One counter per user or, for anonymous requests, per client address, whatever the endpoint. */
export function createThrottle(limits: Limits, rate: Rate): Throttle {
  return async (identity, address) => {
    const subject = identity ? `user:${identity.user.id}` : `ip:${address}`
    await limits.take({ rule: 'auth_service', subject, rate })
  }
}
