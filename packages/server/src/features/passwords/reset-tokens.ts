import { createHmac } from 'node:crypto'
import { pkOf } from '../../core/identity.ts'
import { derivedKey, isEqualText } from '../../crypto/digests.ts'
import { isDjangoResetToken } from '../../crypto/django/links.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToDevices } from '../devices/feature.ts'
import type { Context } from '../feature.ts'
import { signedAddress } from '../users/proved-address.ts'

/** If one of these changes, the token is void. */
export type TokenOwner = Pick<User, 'id' | 'epoch' | 'last_login_at' | 'email' | 'email_epoch'>

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
export function createResetTokens({
  secretKey,
  clock,
  lifetimeMs,
}: Pick<Context, 'secretKey' | 'clock'> & { lifetimeMs: number }) {
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

  function sign(owner: TokenOwner, end: string): string {
    const { id, epoch, last_login_at } = owner
    const signed = JSON.stringify([id, epoch, last_login_at, signedAddress(owner), end])
    return createHmac('sha256', key).update(signed).digest('hex').slice(0, SIGNATURE_LENGTH)
  }
}

/**
 * The tokens in links that a Django project mailed before its users came here. As in Django, a new
 * password, a login or a change of addresses makes one void.
 */
export function createDjangoResetTokens({ djangoOrigins, clock, settings }: UpToDevices) {
  const { DJANGO_SECRET_KEY: key, DJANGO_SECRET_KEY_FALLBACKS: fallbacks } = settings
  const rules = {
    secretKeys: key === null ? [] : [key, ...fallbacks],
    timeZone: settings.DJANGO_TIME_ZONE,
    lifetimeMs: Math.max(settings.DJANGO_PASSWORD_RESET_TIMEOUT, settings.PASSWORD_RESET_TIMEOUT),
  }

  return {
    async isFor(user: User, token: string): Promise<boolean> {
      if (key === null) return false
      const addresses = await djangoOrigins.addressesOf(user)
      if (!addresses) return false
      const owner = {
        pk: String(pkOf(user)),
        passwordHash: user.password,
        lastLogin: user.last_login_at,
        email: addresses.email,
        addresses: addresses.all,
      }
      return isDjangoResetToken(token, owner, rules, clock.now())
    },
  }
}
