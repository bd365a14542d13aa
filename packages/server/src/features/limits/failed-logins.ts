import { type Attempt, countedBy, type RatePer } from './counted-by.ts'
import type { Limits } from './limits.ts'

export type FailedLogins = ReturnType<typeof createFailedLogins>

/**
 * Guessing stops here. The limits are asked before the password is hashed and once more after,
 * so that guesses made in parallel learn no more than guesses made one after the other.
 */
export function createFailedLogins(limits: Limits, rates: readonly RatePer[]) {
  const counted = (attempt: Attempt) => countedBy('login-failed', rates, attempt)
  /** A success clears the account, never the address: it may be the attacker's own account. */
  const forgivable = rates.filter(({ per }) => per !== 'ip')

  return {
    async refuseIfTooMany(attempt: Attempt): Promise<void> {
      for (const one of counted(attempt)) await limits.check(one)
    },

    /** The answer to a wrong password that is one too many is the refusal, too. */
    async count(attempt: Attempt): Promise<void> {
      for (const one of counted(attempt)) await limits.take(one)
    },

    async forgive({ account }: Pick<Attempt, 'account'>): Promise<void> {
      const all = countedBy('login-failed', forgivable, { account, address: '' })
      for (const one of all) await limits.forget(one)
    },
  }
}
