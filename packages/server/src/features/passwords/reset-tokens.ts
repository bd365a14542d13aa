import { createHmac } from 'node:crypto'
import { derivedKey } from '../../crypto/derived-key.ts'
import { isEqualText } from '../../crypto/equal-text.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { User } from '../../storage/schema.ts'

export type ResetTokens = ReturnType<typeof createResetTokens>

/** What a token is made from: when any of it changes, the token is void. */
export type TokenOwner = Pick<User, 'id' | 'epoch' | 'last_login_at' | 'email'>

type Needs = { secretKeys: readonly [string, ...string[]]; clock: Clock; lifetimeMs: number }

const FORM = /^([0-9a-z]{1,10})-([\w-]{43})$/

/**
 * Tokens that are nowhere stored: a signature over the user as he is now. A change of password (the
 * epoch grows) or address, a deactivation and a completed login void them by themselves. The hash is
 * no part of it: the first half of an MFA login may renew that.
 */
export function createResetTokens({ secretKeys, clock, lifetimeMs }: Needs) {
  const keys = secretKeys.map((secret) => derivedKey(secret, 'password-reset'))
  const [current = Buffer.alloc(0)] = keys

  return {
    make(owner: TokenOwner): string {
      const expiresAt = clock.now() + lifetimeMs
      return `${expiresAt.toString(36)}-${sign(current, owner, expiresAt)}`
    },

    isFor(owner: TokenOwner, token: string): boolean {
      const [, time = '', signature = ''] = FORM.exec(token) ?? []
      const expiresAt = Number.parseInt(time, 36)
      const isSigned = keys.some((key) => isEqualText(signature, sign(key, owner, expiresAt)))
      return isSigned && expiresAt > clock.now()
    },
  }
}

function sign(key: Buffer, owner: TokenOwner, expiresAt: number): string {
  const { id, epoch, last_login_at, email } = owner
  const signed = JSON.stringify([id, epoch, last_login_at, email, expiresAt])
  return createHmac('sha256', key).update(signed).digest('base64url')
}
