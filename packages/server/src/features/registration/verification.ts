import { nameKey } from '../../kernel/names.ts'
import { problem } from '../../kernel/problems.ts'
import { unlessUserIsDeleted } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import { type MailLimits, unmailed } from '../limits/limits.ts'
import type { UpToLogin } from '../login/feature.ts'
import type { Letter } from '../mail/outbox.ts'
import { createDjangoEmailKeys } from './django-email-keys.ts'
import type { EmailKeys } from './email-keys.ts'

export type Verification = ReturnType<typeof createVerification>

type Needs = UpToLogin & { emailKeys: EmailKeys; verifyLimits: MailLimits }

/** Proves that an address belongs to the user: only its owner gets the key. */
export function createVerification(house: Needs) {
  const { db, users, outbox, audit, events, place, emailKeys, verifyLimits } = house
  const djangoKeys = createDjangoEmailKeys(house)

  return {
    /** Call it in the transaction that adds the user. Mails beyond the limit are dropped. */
    async send(user: User, tx: Tx): Promise<void> {
      if (await verifyLimits.mayMail(user.email, tx)) await post(user, tx)
    },

    /** Does the same work and gives the same answer, whether or not somebody has the address. */
    async resend(email: string): Promise<void> {
      const address = nameKey(email)
      const user = await users.findByEmail(address)
      const isWaiting = user?.is_active && !user.email_verified
      if (!(await verifyLimits.mayMail(isWaiting ? user.email : unmailed(address)))) return
      const posting = transaction(db, (tx) => (isWaiting ? post(user, tx) : pretend(address, tx)))
      await posting.catch(unlessUserIsDeleted)
    },

    /**
     * Accepts a key once, and only while the user has the address. It logs nobody in and changes
     * only the flag: the owner of the mailbox may click the link in an account of a stranger.
     */
    async verify(key: string): Promise<void> {
      const djangoAddress = djangoKeys.addressIn(key)
      if (djangoAddress !== null) return djangoKeys.confirm(djangoAddress)
      await transaction(db, async (tx) => {
        const { user } = await spend(key, users.markVerified, tx)
        await audit.record({ userId: user.id, event: 'email_verified' }, tx)
      })
    },

    /** The user whose address the key would confirm, for the page behind the link. */
    async accountOf(key: string): Promise<Pick<User, 'username' | 'email'> | undefined> {
      const found = await emailKeys.find('verify', key)
      if (!found) return djangoKeys.accountOf(key)
      const user = await users.findById(found.user_id)
      return user?.email === found.email_key ? user : undefined
    },

    /**
     * The owner of the mailbox says that the account is not theirs. It loses the address, and the key
     * is spent. A proved address stays: an old mail must not take it away.
     */
    async disown(key: string): Promise<void> {
      const djangoAddress = djangoKeys.addressIn(key)
      if (djangoAddress !== null) return djangoKeys.disown(djangoAddress)
      await transaction(db, async (tx) => {
        const { user, email } = await spend(key, users.removeUnprovedEmail, tx)
        await audit.record({ userId: user.id, event: 'email_disowned' }, tx)
        await events.note('emailChanged', user, { former_email: email }, tx)
      })
    },
  }

  /** Changes the user and spends the key. Of parallel uses of one key exactly one succeeds. */
  async function spend(key: string, change: typeof users.markVerified, tx: Tx) {
    const found = await emailKeys.find('verify', key, tx)
    const user = found && (await change(found.user_id, found.email_key, tx))
    const isFirst = user && (await emailKeys.consume('verify', key, tx))
    if (!isFirst) throw problem('not_found')
    return { user, email: found.email_key }
  }

  async function post(user: User, tx: Tx): Promise<void> {
    const key = await emailKeys.add('verify', user, user.email, tx)
    await outbox.post({ ...letterTo(user.email, key), userId: user.id }, tx)
  }

  /** Writes as many rows as a real letter, so that the time tells nothing. */
  async function pretend(email: string, tx: Tx): Promise<void> {
    const letter = letterTo(email, emailKeys.voidKey())
    await outbox.pretend(letter, tx)
    // A real letter also adds a key. This row takes as long.
    await outbox.pretend(letter, tx)
  }

  function letterTo(email: string, key: string): Letter {
    const link = place().EMAIL_CONFIRM_URL.replaceAll('{key}', key)
    return { to: email, template: 'verify-email', values: { link, key } }
  }
}
