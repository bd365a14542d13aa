import { createHmac } from 'node:crypto'
import { derivedKey } from '../../crypto/derived-key.ts'
import { isEqualText } from '../../crypto/equal-text.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { User } from '../../storage/schema.ts'

export type ResetTokens = ReturnType<typeof createResetTokens>

/** What a token is made from: when any of it changes, the token is void. */
export type TokenOwner = Pick<User, 'id' | 'epoch' | 'last_login_at' | 'email'>

type Needs = { secretKey: string; clock: Clock; lifetimeMs: number }

/** The shape of Django's tokens, since front ends route by it: when it ends, and 128 bits in hex. */
const FORM = /^([0-9a-z]{1,13})-([0-9a-f]{32})$/
const SIGNATURE_LENGTH = 32

/**
 * Tokens that are nowhere stored: a signature over the user as he is now. A change of password (the
 * epoch grows) or address, a deactivation and a completed login void them by themselves. The hash is
 * no part of it: the first half of an MFA login may renew that.
 *
 * Former keys do not count: one that was replaced because it leaked would sign tokens for anybody.
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
      // No token of ours ends later than one that is made now, whatever it says.
      const isInTime = leftMs > 0 && leftMs <= lifetimeMs
      return isEqualText(signature, sign(owner, end)) && isInTime
    },
  }

  function sign({ id, epoch, last_login_at, email }: TokenOwner, end: string): string {
    const signed = JSON.stringify([id, epoch, last_login_at, email, end])
    return createHmac('sha256', key).update(signed).digest('hex').slice(0, SIGNATURE_LENGTH)
  }
}
