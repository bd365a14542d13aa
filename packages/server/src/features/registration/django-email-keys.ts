import { addressIdIn } from '../../crypto/django/links.ts'
import { DAY } from '../../kernel/clock.ts'
import { problem } from '../../kernel/problems.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToLogin } from '../login/feature.ts'

/** The keys in links that allauth mailed before the move. */
export function createDjangoEmailKeys(house: UpToLogin) {
  const { db, users, djangoOrigins, audit, events, clock, settings } = house
  const { DJANGO_SECRET_KEY: key, DJANGO_SECRET_KEY_FALLBACKS: fallbacks } = settings
  const rules = {
    secretKeys: key === null ? [] : [key, ...fallbacks],
    lifetimeMs: Math.round(settings.ACCOUNT.EMAIL_CONFIRMATION_EXPIRE_DAYS * DAY),
  }

  const addressIn = (emailKey: string): number | null => addressIdIn(emailKey, rules, clock.now())

  return {
    addressIn,

    /** The address that a key would confirm, and its user. */
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

    /** As in allauth, a key works while its address exists and is unverified. */
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
