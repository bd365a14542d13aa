import { pkOf } from '../../core/identity.ts'
import { isDjangoResetToken } from '../../crypto/django/links.ts'
import type { Settings } from '../../settings/settings.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToDevices } from '../devices/feature.ts'

export type DjangoResetTokens = ReturnType<typeof createDjangoResetTokens>

type Slice = Pick<
  Settings,
  | 'DJANGO_SECRET_KEY'
  | 'DJANGO_SECRET_KEY_FALLBACKS'
  | 'DJANGO_PASSWORD_RESET_TIMEOUT'
  | 'DJANGO_TIME_ZONE'
  | 'PASSWORD_RESET_TIMEOUT'
>

type Needs = UpToDevices & { settings: Slice }

/**
 * Links that a Django project mailed before its users came here. Like there, one is void after a new
 * password, a login or a change of addresses.
 */
export function createDjangoResetTokens({ djangoOrigins, clock, settings }: Needs) {
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
