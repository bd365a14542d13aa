import type { Handle } from '../../storage/handle.ts'
import { type Attempt, countedBy, type Limits, type RatePer } from './limits.ts'

export type FailedLogins = ReturnType<typeof createFailedLogins>

/**
 * Limits guesses. The limits are checked before the password is hashed and again afterwards. So
 * parallel guesses learn no more than guesses one after the other.
 */
export function createFailedLogins(limits: Limits, rates: readonly RatePer[]) {
  const counted = (attempt: Attempt) => countedBy('login-failed', rates, attempt)

  return {
    async refuseIfTooMany(attempt: Attempt): Promise<void> {
      for (const one of counted(attempt)) await limits.check(one)
    },

    async count(attempt: Attempt): Promise<void> {
      for (const one of counted(attempt)) await limits.take(one)
    },

    /** Keeps the count of the address: an attacker could clear it with an account of their own. */
    async forgive({ account }: Pick<Attempt, 'account'>, within?: Handle): Promise<void> {
      for (const one of counted({ account, address: '' })) {
        if (one.rate.per !== 'ip') await limits.forget(one, within)
      }
    },
  }
}
