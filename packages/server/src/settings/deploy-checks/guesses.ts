import { DAY } from '../../kernel/clock.ts'
import type { Check } from '../finding.ts'
import type { RatePer } from '../kinds/rates.ts'

/** About seven times the default of `login_failed`. Even a weak password takes longer to guess. */
const MOST_PASSWORDS_A_DAY = 20_000
/** About three times the default of `mfa_failed`. Three of a million codes are right at a time. */
const MOST_CODES_A_DAY = 3000
/** Four times the usual period. The codes before and after the current one are valid, too. */
const LONGEST_TOTP_PERIOD_S = 120

const inADay = ({ count, windowMs }: RatePer): number => count * Math.max(1, DAY / windowMs)

/**
 * Whether one account can be tried more often. Limits of a client address do not help it: somebody
 * with many addresses has as many limits. A limit that is off is a finding of its own.
 */
function allowsMore(limits: readonly RatePer[], mostADay: number): boolean {
  const ofAccount = limits.filter(({ per }) => per !== 'ip')
  return limits.length > 0 && Math.min(...ofAccount.map(inADay)) > mostADay
}

/** Settings with which somebody can find a password or a code by trying. */
export const guesses: readonly Check[] = [
  {
    about: 'ACCOUNT.RATE_LIMITS',
    applies: ({ ACCOUNT }) => allowsMore(ACCOUNT.RATE_LIMITS.login_failed, MOST_PASSWORDS_A_DAY),
    says: 'login_failed lets somebody with many addresses try more than 20,000 passwords a day for one account',
    mend: 'add a rate that counts per account, such as 10/5m/key, to login_failed',
  },
  {
    about: 'ACCOUNT.RATE_LIMITS',
    applies: ({ ACCOUNT, MODULES }) =>
      MODULES.includes('mfa') && allowsMore(ACCOUNT.RATE_LIMITS.mfa_failed, MOST_CODES_A_DAY),
    says: 'mfa_failed lets somebody who knows the password try more than 3,000 codes of the second factor a day',
    mend: 'add a rate that counts per account, such as 10/15m/user, to mfa_failed',
  },
  {
    about: 'REST_AUTH.MFA_TOTP_PERIOD',
    applies: ({ MODULES, REST_AUTH }) =>
      MODULES.includes('mfa') && REST_AUTH.MFA_TOTP_PERIOD > LONGEST_TOTP_PERIOD_S,
    says: 'somebody who sees a one-time code can use it for minutes, since the next and the previous code are valid, too',
    mend: 'use 30, as all authenticator apps do; users with an app must set it up again',
  },
]
