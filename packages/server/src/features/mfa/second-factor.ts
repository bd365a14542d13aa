import { fromBase32 } from '../../crypto/base32.ts'
import type { Totp } from '../../crypto/totp.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { Audit } from '../audit/audit.ts'
import type { Outbox } from '../mail/outbox.ts'
import { withoutSeparators } from './recovery-code.ts'
import type { RecoveryCodes } from './recovery-codes.ts'
import { countCodesOfUser } from './recovery-codes-queries.ts'
import { type Authenticator, acceptStep, noteUse, replaceSecret } from './totp-queries.ts'
import type { TotpSecrets } from './totp-secrets.ts'
import type { WrongCodes } from './wrong-codes.ts'

export type SecondFactor = ReturnType<typeof createSecondFactor>

/** What kind of code it was. A wrong code has been counted, recorded and reported. */
export type Factor = 'totp' | 'recovery_code'

export type CodeGiven = {
  code: string
  purpose: 'login' | 'deactivate' | 'reauthenticate' | 'leave'
  address: string
}

type Needs = {
  totp: Totp
  recoveryCodes: RecoveryCodes
  secrets: TotpSecrets
  wrongCodes: WrongCodes
  audit: Audit
  outbox: Outbox
  clock: Clock
}

/** The only place where a code is checked, for any purpose. A right code is spent at once. */
export function createSecondFactor(needs: Needs) {
  const { totp, recoveryCodes, secrets, wrongCodes, audit, outbox, clock } = needs

  return {
    /**
     * Returns null for a wrong code, and throws if the account is locked. Call it in a transaction
     * that holds the user's row. Commit that transaction even if the code is wrong, since it
     * contains the count.
     */
    async prove(
      user: User,
      authenticator: Authenticator,
      { code, purpose, address }: CodeGiven,
      tx: Tx,
    ): Promise<Factor | null> {
      const attempt = { userId: user.id, address }
      await wrongCodes.count(attempt, tx)
      const result = await spend(authenticator, withoutSeparators(code), tx)
      if ('factor' in result) {
        await wrongCodes.forgive(attempt, tx)
        return result.factor
      }
      const details = { reason: result.refusal, purpose, address }
      await audit.record({ userId: user.id, event: 'mfa_refused', details }, tx)
      if (await wrongCodes.claimNotice(attempt, tx)) {
        await audit.record({ userId: user.id, event: 'mfa_locked', details: { address } }, tx)
        await outbox.notify(user, 'mfa-guessed', tx)
      }
      return null
    },
  }

  async function spend(
    authenticator: Authenticator,
    code: string,
    tx: Tx,
  ): Promise<{ factor: Factor } | { refusal: 'wrong_code' | 'spent_code' }> {
    const { user_id: userId, sealed_secret } = authenticator
    const now = clock.now()
    const secret = secrets.open(authenticator)
    const step = secret === null ? undefined : totp.stepOf(fromBase32(secret), code, now)
    if (step !== undefined) {
      const isFresh = await acceptStep(tx, userId, step, now)
      if (secrets.isStale(authenticator)) {
        await replaceSecret(tx, userId, sealed_secret, secrets.seal(userId, secret))
      }
      return isFresh ? { factor: 'totp' } : { refusal: 'spent_code' }
    }
    if (!(await recoveryCodes.use(userId, code, tx))) return { refusal: 'wrong_code' }
    await noteUse(tx, userId, now)
    const left = await countCodesOfUser(tx, userId)
    await audit.record({ userId, event: 'recovery_code_used', details: { left } }, tx)
    return { factor: 'recovery_code' }
  }
}
