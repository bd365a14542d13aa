import { problem } from '../../kernel/problems.ts'
import { isUniqueViolation } from '../../storage/faults.ts'
import type { Db, Tx } from '../../storage/handle.ts'
import type { EmailKey, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { EmailKeys } from '../registration/email-keys.ts'
import type { DjangoOrigins } from '../users/django-origins.ts'
import type { Users } from '../users/users.ts'

export type ConfirmChange = ReturnType<typeof createConfirmChange>

type Needs = {
  db: Db
  users: Users
  emailKeys: EmailKeys
  outbox: Outbox
  audit: Audit
  events: Events
  djangoOrigins: DjangoOrigins
}

/** What the owner of the new address can do with the key that was mailed there. */
export function createConfirmChange(needs: Needs) {
  const { db, users, emailKeys, outbox, audit, djangoOrigins, events } = needs

  return {
    /** Gives the user the new address, which the key proves. It logs nobody in. */
    async confirm(key: string): Promise<void> {
      try {
        await transaction(db, (tx) => change(key, tx))
      } catch (error) {
        // The address was free when the link was mailed. By now somebody else has it.
        if (isUniqueViolation(error)) throw problem('not_found')
        throw error
      }
    },

    /**
     * The account that wants the address. A stranger may read this mailbox, so they learn the name
     * of the account and nothing else about it.
     */
    async accountOf(key: string) {
      const found = await emailKeys.find('change', key)
      const user = found && (await users.findById(found.user_id))
      return user && isOpen(user, found)
        ? { username: user.username, email: found.email_key }
        : undefined
    },

    /** The owner of the new address does not want the change. The account keeps its own address. */
    disown: (key: string): Promise<void> =>
      transaction(db, async (tx) => {
        const { before } = await spend(key, tx)
        await audit.record({ userId: before.id, event: 'email_change_disowned' }, tx)
      }),
  }

  async function spend(key: string, tx: Tx): Promise<{ before: User; email: string }> {
    const found = await emailKeys.find('change', key, tx)
    const before = found && (await users.lock(found.user_id, tx))
    const used = before && (await emailKeys.consume('change', key, tx))
    if (!used || !isOpen(before, used)) throw problem('not_found')
    return { before, email: used.email_key }
  }

  async function change(key: string, tx: Tx): Promise<void> {
    const { before, email } = await spend(key, tx)
    const user = await users.changeEmail(before.id, email, tx)
    if (!user) throw problem('not_found')

    // Also keys for the former address. Reset tokens and login codes contain the address: they are
    // void already.
    await emailKeys.dropAll(user.id, tx)
    await djangoOrigins.dropAddress(user.id, before.email, tx)
    await outbox.notify(before, 'email-changed', tx)
    await audit.record({ userId: user.id, event: 'email_changed' }, tx)
    await events.note('emailChanged', user, { former_email: before.email }, tx)
  }
}

/** A new password or a deactivation voids what was asked for before. */
const isOpen = (user: User, { epoch }: EmailKey): boolean =>
  user.is_active === 1 && user.epoch === epoch
