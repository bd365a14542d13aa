import type { Handle } from '../../storage/handle.ts'
import { type Attempt, countedBy, type RatePer } from './counted-by.ts'
import type { Limits } from './limits.ts'

export type FailedLogins = ReturnType<typeof createFailedLogins>

/**
 * Stops guessing. The limits are checked before the password is hashed and again afterwards. So
 * parallel guesses learn no more than guesses one after the other.
 */
export function createFailedLogins(limits: Limits, rates: readonly RatePer[]) {
  const counted = (attempt: Attempt) => countedBy('login-failed', rates, attempt)
  /**
   * A success clears the counter of the account, never that of the address: attackers could clear
   * it by logging in to an account of their own.
   */
  const forgivable = rates.filter(({ per }) => per !== 'ip')

  return {
    async refuseIfTooMany(attempt: Attempt): Promise<void> {
      for (const one of counted(attempt)) await limits.check(one)
    },

    /** Counts a wrong password. One too many already gets the refusal. */
    async count(attempt: Attempt): Promise<void> {
      for (const one of counted(attempt)) await limits.take(one)
    },

    async forgive({ account }: Pick<Attempt, 'account'>, within?: Handle): Promise<void> {
      const all = countedBy('login-failed', forgivable, { account, address: '' })
      for (const one of all) await limits.forget(one, within)
    },
  }
}
