import { addressIdIn } from '../../crypto/django/links.ts'
import { type Clock, DAY } from '../../kernel/clock.ts'
import { problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db } from '../../storage/handle.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import type { DjangoOrigins } from '../users/django-origins.ts'
import type { Users } from '../users/users.ts'

export type DjangoEmailKeys = ReturnType<typeof createDjangoEmailKeys>

type Needs = {
  db: Db
  users: Users
  djangoOrigins: DjangoOrigins
  audit: Audit
  events: Events
  clock: Clock
  settings: Pick<Settings, 'ACCOUNT' | 'DJANGO_SECRET_KEY' | 'DJANGO_SECRET_KEY_FALLBACKS'>
}

/** Keys in the links that allauth mailed before its users came here. */
export function createDjangoEmailKeys(needs: Needs) {
  const { db, users, djangoOrigins, audit, events, clock, settings } = needs
  const { DJANGO_SECRET_KEY: key, DJANGO_SECRET_KEY_FALLBACKS: fallbacks } = settings
  const rules = {
    secretKeys: key === null ? [] : [key, ...fallbacks],
    lifetimeMs: Math.round(settings.ACCOUNT.EMAIL_CONFIRMATION_EXPIRE_DAYS * DAY),
  }

  const addressIn = (emailKey: string): number | null =>
    key === null ? null : addressIdIn(emailKey, rules, clock.now())

  return {
    addressIn,

    /** The address that a key would confirm, and whose it is. */
    async accountOf(emailKey: string) {
      const id = addressIn(emailKey)
      const address = id === null ? undefined : await djangoOrigins.findAddress(id, db)
      const user = address && !address.verified && (await users.findById(address.user_id))
      return user ? { username: user.username, email: address.email_key } : undefined
    },

    /** Removes the address, unless it was proved. */
    disown: (id: number): Promise<void> =>
      transaction(db, async (tx) => {
        const found = await djangoOrigins.findAddress(id, tx)
        const user = found && (await users.lock(found.user_id, tx))
        // Of parallel calls, the second finds it gone.
        const address = user && (await djangoOrigins.findAddress(id, tx))
        const isOwn = address && user.email === address.email_key
        if (!address || address.verified || (isOwn && user.email_verified)) {
          throw problem('not_found')
        }
        await djangoOrigins.dropAddress(user.id, address.email_key, tx)
        await audit.record({ userId: user.id, event: 'email_disowned' }, tx)
        const changed = isOwn && (await users.removeUnprovedEmail(user.id, user.email, tx))
        if (changed) await events.note('emailChanged', changed, { former_email: user.email }, tx)
      }),

    /** Like at the original, a key works as long as its address exists and is not verified. */
    confirm: (id: number): Promise<void> =>
      transaction(db, async (tx) => {
        const address = await djangoOrigins.findAddress(id, tx)
        const user = address && (await users.lock(address.user_id, tx))
        if (!user) throw problem('not_found')
        // Somebody else may have proved the same address meanwhile. Then nothing changes.
        const holder = await users.findByEmail(address.email_key, tx)
        if (holder && holder.id !== user.id) return
        if (!(await djangoOrigins.verifyAddress(id, tx))) throw problem('not_found')
        if (user.email !== address.email_key || user.email_verified) return
        await users.markVerified(user.id, address.email_key, tx)
        await audit.record({ userId: user.id, event: 'email_verified' }, tx)
      }),
  }
}
