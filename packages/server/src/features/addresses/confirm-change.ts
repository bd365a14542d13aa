import { problem } from '../../kernel/problems.ts'
import { isUniqueViolation } from '../../storage/faults.ts'
import type { Db, Tx } from '../../storage/handle.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { EmailKeys } from '../registration/email-keys.ts'
import type { DjangoOrigins } from '../users/takeover/django-origins.ts'
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

/** Gives the user the new address, which its owner has proved by the key. It logs nobody in. */
export function createConfirmChange(needs: Needs) {
  const { db, users, emailKeys, outbox, audit, djangoOrigins, events } = needs

  return async (key: string): Promise<void> => {
    try {
      await transaction(db, (tx) => confirm(key, tx))
    } catch (error) {
      // The address was free when the link was mailed. By now somebody else has it.
      if (isUniqueViolation(error)) throw problem('not_found')
      throw error
    }
  }

  async function confirm(key: string, tx: Tx): Promise<void> {
    const found = await emailKeys.find('change', key, tx)
    const before = found && (await users.lock(found.user_id, tx))
    const used = before && (await emailKeys.consume('change', key, tx))
    // A new password or a deactivation since then voids what was asked for before.
    const isGood = used && before.is_active && before.epoch === used.epoch
    const user = isGood && (await users.changeEmail(before.id, used.email_key, tx))
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
