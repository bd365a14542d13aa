import { DAY } from '../../kernel/clock.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { accountOf, type Limits } from '../limits/limits.ts'

export type ShortCodes = ReturnType<typeof createShortCodes>

const SHORT = 6
const LONG = 12
const WRONG_PER_DAY = { count: 10, windowMs: DAY }

/**
 * Six digits are easy to type, but too few against a botnet that guesses all day. So an account
 * accepts ten wrong short codes a day. After that its codes are long, and no short one is right. The
 * owner can still log in, with the longer code of the next mail. docs/security.md has the arithmetic.
 */
export function createShortCodes(limits: Limits) {
  const counted = (account: string) =>
    ({ rule: 'short-code', subject: account, rate: WRONG_PER_DAY }) as const

  return {
    /** How many digits the next code of the account has. */
    digitsFor: async (account: string): Promise<number> =>
      (await limits.isReached(counted(account))) ? LONG : SHORT,

    /** Counts a guess at a short code before it is checked, so that parallel guesses gain nothing. */
    mayBeRight: async (account: string, typed: string): Promise<boolean> =>
      typed.length > SHORT || limits.tryTake(counted(account)),

    async wasRight(account: string, typed: string): Promise<void> {
      if (typed.length <= SHORT) await limits.giveBack(counted(account))
    },

    forgetUser: (user: User, tx: Tx) => limits.forget(counted(accountOf(user)), tx),
  }
}
