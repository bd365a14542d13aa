import { createHmac } from 'node:crypto'
import { derivedKey, isEqualText } from '../../crypto/digests.ts'
import type { User } from '../../storage/schema.ts'
import type { Context } from '../feature.ts'

export type ResetTokens = ReturnType<typeof createResetTokens>

/** If one of these changes, the token is void. */
export type TokenOwner = Pick<User, 'id' | 'epoch' | 'last_login_at' | 'email'>

type Needs = Pick<Context, 'secretKey' | 'clock'> & { lifetimeMs: number }

/** The form of Django's tokens, which front ends match: the time of expiry, then 128 bits in hex. */
const FORM = /^([0-9a-z]{1,13})-([0-9a-f]{32})$/
const SIGNATURE_LENGTH = 32

/**
 * A reset token is not stored. It is a signature over the state of the user: a new password (the
 * epoch grows) or address, a deactivation and a completed login make it void. The password hash is
 * not part of it, since the first half of an MFA login may renew the hash.
 *
 * Former keys are not accepted: a leaked one could sign tokens for every account.
 */
export function createResetTokens({ secretKey, clock, lifetimeMs }: Needs) {
  const key = derivedKey(secretKey, 'password-reset')

  return {
    make(owner: TokenOwner): string {
      const end = (clock.now() + lifetimeMs).toString(36)
      return `${end}-${sign(owner, end)}`
    },

    isFor(owner: TokenOwner, token: string): boolean {
      const [, end = '', signature = ''] = FORM.exec(token) ?? []
      const leftMs = Number.parseInt(end, 36) - clock.now()
      // No token expires later than one that is made now.
      const isInTime = leftMs > 0 && leftMs <= lifetimeMs
      return isEqualText(signature, sign(owner, end)) && isInTime
    },
  }

  function sign({ id, epoch, last_login_at, email }: TokenOwner, end: string): string {
    const signed = JSON.stringify([id, epoch, last_login_at, email, end])
    return createHmac('sha256', key).update(signed).digest('hex').slice(0, SIGNATURE_LENGTH)
  }
}
