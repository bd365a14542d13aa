import { fromBase32, type Totp } from '../../crypto/totp.ts'
import type { RatePer } from '../../settings/kinds/rates.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { Context } from '../feature.ts'
import type { UpToJwt } from '../jwt/feature.ts'
import { type Attempt, accountOf, createRateLimit, type Limits } from '../limits/limits.ts'
import {
  type Authenticator,
  acceptStep,
  countCodesOfUser,
  noteUse,
  replaceSecret,
} from './mfa-queries.ts'
import { type RecoveryCodes, withoutSeparators } from './recovery-codes.ts'

export type SecondFactor = ReturnType<typeof createSecondFactor>

/** The kind of a code. */
export type Factor = 'totp' | 'recovery_code'

export type CodeGiven = {
  code: string
  purpose: 'login' | 'deactivate' | 'reauthenticate' | 'leave'
  address: string
}

/** The house, and what checks and stores the codes of a user. */
export type MfaParts = UpToJwt & {
  totp: Totp
  recoveryCodes: RecoveryCodes
  secrets: TotpSecrets
}

/** The only place where a code is checked, for any purpose. A right code is spent at once. */
export function createSecondFactor(needs: MfaParts & { wrongCodes: WrongCodes }) {
  const { totp, recoveryCodes, secrets, wrongCodes, audit, outbox, clock } = needs

  return {
    /**
     * Returns null for a wrong code, and throws if the account is locked. The caller's transaction
     * holds the user's row, and must commit even if the code is wrong: it contains the count.
     */
    async prove(
      user: User,
      authenticator: Authenticator,
      { code, purpose, address }: CodeGiven,
      tx: Tx,
    ): Promise<Factor | null> {
      const attempt = { account: accountOf(user), address }
      await wrongCodes.count(attempt, tx)
      const result = await spend(authenticator, withoutSeparators(code), tx)
      if ('factor' in result) {
        await wrongCodes.giveBack(attempt, tx)
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
      const isUnspent = await acceptStep(tx, userId, step, now)
      const resealed = secrets.resealed(authenticator)
      if (resealed !== sealed_secret) await replaceSecret(tx, userId, sealed_secret, resealed)
      return isUnspent ? { factor: 'totp' } : { refusal: 'spent_code' }
    }
    if (!(await recoveryCodes.use(userId, code, tx))) return { refusal: 'wrong_code' }
    await noteUse(tx, userId, now)
    const left = await countCodesOfUser(tx, userId)
    await audit.record({ userId, event: 'recovery_code_used', details: { left } }, tx)
    return { factor: 'recovery_code' }
  }
}

const NOTICE = 'mfa-guessed-notice'

type WrongCodes = ReturnType<typeof createWrongCodes>

/**
 * Limits wrong codes of an account, over all challenges and purposes. Each try is counted before
 * its code is checked, and only a right code gets its own count back. So parallel guesses gain
 * nothing, and a login of the owner does not help an attacker.
 */
export function createWrongCodes(limits: Limits, rates: readonly RatePer[]) {
  const { count, countersOf } = createRateLimit(limits, 'mfa-failed', rates)

  return {
    count,

    async giveBack(attempt: Attempt, tx: Tx): Promise<void> {
      for (const one of countersOf(attempt)) await limits.giveBack(one, tx)
    },

    /**
     * True for the attempt that locks the account, once per window: the owner gets one mail. The
     * window lets in another guess now and then; a mail for each would only help the attacker.
     */
    async claimNotice(attempt: Attempt, tx: Tx): Promise<boolean> {
      for (const one of countersOf(attempt)) {
        if (one.rate.per === 'ip' || !(await limits.isReached(one, tx))) continue
        const notice = { ...one, rule: NOTICE, rate: { ...one.rate, count: 1 } }
        if (await limits.tryTake(notice, tx)) return true
      }
      return false
    },

    async forgetUser(user: User, tx: Tx): Promise<void> {
      for (const one of countersOf({ account: accountOf(user), address: '' })) {
        await limits.forget(one, tx)
        await limits.forget({ ...one, rule: NOTICE }, tx)
      }
    },
  }
}

export type TotpSecrets = ReturnType<typeof createTotpSecrets>

/** Replaces a sealed secret. No key opens it, and resealing ignores it. */
const UNREADABLE = ''

/**
 * The sealed secrets of authenticator apps. If a secret cannot be read, the second factor stays on:
 * login asks for it, no code of the app fits, and recovery codes still work.
 */
export function createTotpSecrets({ sealedBox, log }: Pick<Context, 'sealedBox' | 'log'>) {
  return {
    /** Pass null for an imported secret that cannot be read. */
    seal: (userId: number, secret: string | null): string =>
      secret === null ? UNREADABLE : sealedBox.seal(secret, secretOwner(userId)),

    /** Returns null if it cannot be read. */
    open({ user_id, sealed_secret }: Authenticator): string | null {
      const secret = sealedBox.open(sealed_secret, secretOwner(user_id))
      if (secret === null) {
        const words = 'the secret of an authenticator app cannot be read, so no code of it fits'
        log.error({ user: user_id, mend: 'latchkey user reset-mfa' }, words)
      }
      return secret
    },

    /** Logs nothing if the sealed secret cannot be read. */
    holds: ({ user_id, sealed_secret }: Authenticator, secret: string | null): boolean =>
      secret !== null && sealedBox.open(sealed_secret, secretOwner(user_id)) === secret,

    /** The secret, sealed with the current key if it can be. */
    resealed: ({ user_id, sealed_secret }: Authenticator): string =>
      sealedBox.resealed(sealed_secret, secretOwner(user_id)),
  }
}

export const secretOwner = (userId: number | string): string => `totp:${userId}`
