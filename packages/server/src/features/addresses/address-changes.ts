import type { Host } from '../../core/host/host.ts'
import type { FindPlace } from '../../core/place.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { nameKey } from '../../kernel/names.ts'
import { type Fault, fault, fieldProblem } from '../../kernel/problems.ts'
import { isOfDeletedUser } from '../../storage/faults.ts'
import type { Db } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { MailLimits } from '../limits/mail-limits.ts'
import type { Letter, Outbox } from '../mail/outbox.ts'
import type { OwnPassword } from '../passwords/own-password.ts'
import type { EmailKeys } from '../registration/email-keys.ts'
import type { AsHookUser } from '../users/user-values.ts'
import type { Users } from '../users/users.ts'

export type AddressChanges = ReturnType<typeof createAddressChanges>

type Form = { email?: string | undefined; password?: string | undefined }

type Needs = {
  db: Db
  host: Host
  asHookUser: AsHookUser
  users: Users
  ownPassword: OwnPassword
  emailKeys: EmailKeys
  outbox: Outbox
  audit: Audit
  /** Limits links to one address. Those that confirm the address of a new user count, too. */
  mailLimits: MailLimits
  /**
   * Limits letters to the owner of an address that somebody else wants. They do not count as
   * notices: a stranger could use up those of the owner.
   */
  wantedLimits: MailLimits
  place: FindPlace
}

/** Lets signed-in users ask for another address. Nothing changes until its owner confirms. */
export function createAddressChanges(needs: Needs) {
  const {
    db,
    host,
    asHookUser,
    users,
    ownPassword,
    emailKeys,
    outbox,
    audit,
    mailLimits,
    wantedLimits,
  } = needs

  return {
    /** The user's address, and the one that they have asked for. */
    async show(user: User) {
      const change = await emailKeys.changeOf(user)
      const verified = user.email_verified === 1
      return { email: user.email, verified, pending: change?.email_key ?? null }
    },

    /** Returns the faults of the fields. The password of users who have one is needed. */
    async check(user: User, { email, password }: Form, turn: Turn) {
      const isOwn = email !== undefined && nameKey(email) === user.email
      const wrong = await passwordFaults(user, password, turn)
      return {
        ...(isOwn && { email: [fault('own_email')] }),
        ...(wrong.length > 0 && { password: wrong }),
      } satisfies Record<string, readonly Fault[]>
    },

    /**
     * Does the same work and gives the same answer, whether or not somebody has the address. A second
     * request replaces the first.
     */
    async request(asking: User, email: string, client: string): Promise<void> {
      const address = nameKey(email)
      // Before anybody looks whether the address is taken, so that a refusal cannot tell.
      if (host.changingEmail) {
        await host.changingEmail({ user: asHookUser(asking), email: address, address: client })
      }
      const may = {
        mailLink: await mailLimits.mayMail(address),
        tellOwner: await wantedLimits.mayMail(address),
      }
      const ask = () =>
        transaction(db, async (tx) => {
          const user = await users.stillSignedIn(asking, tx)
          if (user.email === address) throw fieldProblem({ email: [fault('own_email')] })
          const pending = await emailKeys.changeOf(user, tx)
          // The link that was mailed before stays good, since no other is mailed instead.
          if (!may.mailLink && pending?.email_key === address) return

          await emailKeys.dropChange(user.id, tx)
          const holder = await users.findByEmail(address, tx)
          const isSent = may.mailLink && (!holder || (holder.is_active === 1 && may.tellOwner))
          const isMailed = isSent && !holder
          const key = await emailKeys.add('change', user, address, tx, { isMailed })
          // A letter goes with the account that it is about: that of the owner, or of who asks.
          const letter = { ...letterTo(address, key, holder), userId: holder?.id ?? user.id }
          await (isSent ? outbox.post : outbox.pretend)(letter, tx)
          await outbox.notify(user, 'email-change-requested', tx)
          await audit.record({ userId: user.id, event: 'email_change_requested' }, tx)
        })
      // If the owner of the address is deleted at this moment, it is free the next time.
      await ask().catch((error) => (isOfDeletedUser(error) ? ask() : Promise.reject(error)))
    },

    cancel: ({ id }: User): Promise<void> =>
      transaction(db, async (tx) => {
        await users.lock(id, tx)
        const isDropped = await emailKeys.dropChange(id, tx)
        if (isDropped) await audit.record({ userId: id, event: 'email_change_cancelled' }, tx)
      }),
  }

  async function passwordFaults(user: User, typed: string | undefined, turn: Turn) {
    if (!isUsablePassword(user.password)) return []
    if (typed === undefined) return [fault('required')]
    return (await ownPassword.isRight(user, typed, turn)) ? [] : [fault('password_invalid')]
  }

  /** The owner of a taken address gets no key. It contains no word that a stranger chose. */
  function letterTo(to: string, key: string, holder: User | undefined): Letter {
    if (holder) return { to, template: 'address-wanted', values: {} }
    const link = needs.place().EMAIL_CHANGE_URL.replaceAll('{key}', key)
    return { to, template: 'change-email', values: { link, key } }
  }
}
