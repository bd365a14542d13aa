import type { User } from '../../storage/schema.ts'
import type { Limits, Rate } from '../limits/limits.ts'

/** Whose failures are counted: the account, existing or not, and the address it came from. */
export type Attempt = { account: string; address: string }

export const accountOf = ({ id }: Pick<User, 'id'>): string => `user:${id}`

export type LoginFailedRate = Rate & { per: 'key' | 'ip' | 'user' }

export type FailedLogins = ReturnType<typeof createFailedLogins>

/**
 * Guessing stops here. The limits are asked before the password is hashed and once more after,
 * so that guesses made in parallel learn no more than guesses made one after the other.
 */
export function createFailedLogins(limits: Limits, rates: readonly LoginFailedRate[]) {
  const counted = (attempt: Attempt) =>
    rates.map((rate) =>
      rate.per === 'ip'
        ? { rule: 'login-failed-ip', subject: attempt.address, rate }
        : { rule: 'login-failed', subject: attempt.account, rate },
    )

  return {
    async refuseIfTooMany(attempt: Attempt): Promise<void> {
      for (const one of counted(attempt)) await limits.check(one)
    },

    /** The answer to a wrong password that is one too many is the refusal, too. */
    async count(attempt: Attempt): Promise<void> {
      for (const one of counted(attempt)) await limits.take(one)
    },

    /** A success clears the account, never the address: it may be the attacker's own account. */
    forgive: ({ account }: Attempt) => limits.forget({ rule: 'login-failed', subject: account }),
  }
}
