import type { Limits, Rate } from '../limits/limits.ts'
import type { LimitsStore } from '../limits/limits-store.ts'

/** Whose code it is, and where it was typed. */
export type CodeAttempt = { userId: number; address: string }

export type MfaFailedRate = Rate & { per: 'key' | 'ip' | 'user' }

export type WrongCodes = ReturnType<typeof createWrongCodes>

/**
 * The budget of wrong codes of an account, across challenges and purposes. Each try is counted
 * before its code is looked at, and only a right one gets its own count back: guesses made in
 * parallel gain nothing, and neither does an attacker when the owner logs in.
 */
export function createWrongCodes(limits: Limits, rates: readonly MfaFailedRate[]) {
  const counted = ({ userId, address }: CodeAttempt) =>
    rates.map((rate) =>
      rate.per === 'ip'
        ? { rule: 'mfa-failed-ip', subject: address, rate }
        : { rule: 'mfa-failed', subject: `user:${userId}`, rate },
    )

  return {
    async count(attempt: CodeAttempt, within: LimitsStore): Promise<void> {
      for (const one of counted(attempt)) await limits.take(one, within)
    },

    async forgive(attempt: CodeAttempt, within: LimitsStore): Promise<void> {
      for (const one of counted(attempt)) await limits.giveBack(one, within)
    },

    /**
     * Whether the owner is to be told that the account is locked now: once in the time for which
     * it stays so, since the window lets one more guess in every now and then.
     */
    async isNewsworthy(attempt: CodeAttempt, within: LimitsStore): Promise<boolean> {
      for (const { rule, subject, rate } of counted(attempt)) {
        if (rule === 'mfa-failed-ip') continue
        if (!(await limits.isReached({ rule, subject, rate }, within))) continue
        const notice = { rule: 'mfa-guessed-notice', subject, rate: { ...rate, count: 1 } }
        if (await limits.tryTake(notice, within)) return true
      }
      return false
    },
  }
}
