import type { Tx } from '../../storage/handle.ts'
import { accountOf, countedBy, type RatePer } from '../limits/counted-by.ts'
import type { Limits } from '../limits/limits.ts'

/** Whose code it is, and where it was typed. */
export type CodeAttempt = { userId: number; address: string }

export type WrongCodes = ReturnType<typeof createWrongCodes>

/**
 * The budget of wrong codes of an account, across challenges and purposes. Each try is counted
 * before its code is looked at, and only a right one gets its own count back: guesses made in
 * parallel gain nothing, and neither does an attacker when the owner logs in.
 */
export function createWrongCodes(limits: Limits, rates: readonly RatePer[]) {
  const counted = ({ userId, address }: CodeAttempt) =>
    countedBy('mfa-failed', rates, { account: accountOf({ id: userId }), address })

  return {
    async count(attempt: CodeAttempt, tx: Tx): Promise<void> {
      for (const one of counted(attempt)) await limits.take(one, tx)
    },

    async forgive(attempt: CodeAttempt, tx: Tx): Promise<void> {
      for (const one of counted(attempt)) await limits.giveBack(one, tx)
    },

    /**
     * True for the one attempt whose failure is to be told to the owner: it locked the account,
     * and they were not told yet. The window lets one more guess in every now and then, and a mail
     * for each would only help the attacker.
     */
    async claimNotice(attempt: CodeAttempt, tx: Tx): Promise<boolean> {
      for (const one of counted(attempt)) {
        if (one.rate.per === 'ip' || !(await limits.isReached(one, tx))) continue
        const notice = { ...one, rule: 'mfa-guessed-notice', rate: { ...one.rate, count: 1 } }
        if (await limits.tryTake(notice, tx)) return true
      }
      return false
    },
  }
}
