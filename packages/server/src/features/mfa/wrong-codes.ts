import type { Tx } from '../../storage/handle.ts'
import { accountOf, countedBy, type RatePer } from '../limits/counted-by.ts'
import type { Limits } from '../limits/limits.ts'

/** The user of the code, and the client address. */
export type CodeAttempt = { userId: number; address: string }

const NOTICE = 'mfa-guessed-notice'

export type WrongCodes = ReturnType<typeof createWrongCodes>

/**
 * Limits wrong codes of an account, over all challenges and purposes. Each try is counted before
 * its code is checked, and only a right code gets its own count back. So parallel guesses gain
 * nothing, and a login of the owner does not help an attacker.
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
     * True for the one attempt that the owner is told about: it locked the account, and no notice
     * was sent yet. The window lets in one more guess now and then; a mail for each would only help
     * the attacker.
     */
    async claimNotice(attempt: CodeAttempt, tx: Tx): Promise<boolean> {
      for (const one of counted(attempt)) {
        if (one.rate.per === 'ip' || !(await limits.isReached(one, tx))) continue
        const notice = { ...one, rule: NOTICE, rate: { ...one.rate, count: 1 } }
        if (await limits.tryTake(notice, tx)) return true
      }
      return false
    },

    async forgetUser(userId: number, tx: Tx): Promise<void> {
      for (const one of counted({ userId, address: '' })) {
        await limits.forget(one, tx)
        await limits.forget({ ...one, rule: NOTICE }, tx)
      }
    },
  }
}
