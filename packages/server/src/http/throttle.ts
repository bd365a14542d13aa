import type { Limits, Rate } from '../features/limits/limits.ts'
import type { Identity } from '../features/users/identity.ts'

export type Throttle = (identity: Identity | null, address: string) => Promise<void>

/** One bucket per user, or per client address: whatever the address of the endpoint. */
export function createThrottle(limits: Limits, rate: Rate): Throttle {
  return async (identity, address) => {
    const subject = identity ? `user:${identity.user.id}` : `ip:${address}`
    await limits.take({ rule: 'auth_service', subject, rate })
  }
}
