import type { Identity } from '../../core/identity.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { nameKey } from '../../kernel/names.ts'
import { type Fault, fault, fieldProblem, problem } from '../../kernel/problems.ts'
import { isOfDeletedUser, isUniqueViolation } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import type { EmailKey, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Operator } from '../audit/audit.ts'
import { createMailLimits } from '../limits/limits.ts'
import type { Letter } from '../mail/outbox.ts'
import type { UpToRegistration } from '../registration/feature.ts'

export type AddressChanges = ReturnType<typeof createAddressChanges>

type Form = { email?: string | undefined; password?: string | undefined }

type ReplaceAddress = ReturnType<typeof createReplaceAddress>

/** Gives a user, whose row is locked, another address or none. Tells the former address about it. */
export function createReplaceAddress(house: UpToRegistration) {
  const { users, emailKeys, djangoOrigins, mfa, outbox, audit, events } = house

  return async (
    before: User,
    { email, verified }: { email: string; verified: boolean },
    tx: Tx,
    operator: Operator | null = null,
  ): Promise<User> => {
    const user = await users.changeEmail(before.id, email, verified, tx)
    if (!user) throw problem('not_found')

    // This includes keys for the former address. Reset tokens and login codes contain the address and
    // its epoch, so they are void already.
    await emailKeys.dropAll(user.id, tx)
    await mfa.endChallenges(user.id, 'code', tx)
    await djangoOrigins.dropAddress(user.id, before.email, tx)
    await outbox.notify(before, 'email-changed', tx)
    await audit.record({ userId: user.id, event: 'email_changed', operator }, tx)
    await events.note('emailChanged', user, { former_email: before.email }, tx)
    return user
  }
}

/** Lets signed-in users ask for another address. Nothing changes until its owner confirms. */
export function createAddressChanges(house: UpToRegistration & { replaceAddress: ReplaceAddress }) {
  const { db, users, ownPassword, emailKeys, outbox, audit } = house
  const { host, signup, asHookUser, place, limits, verifyLimits, replaceAddress } = house
  const { notice_mail } = house.settings.ACCOUNT.RATE_LIMITS
  /**
   * Limits letters to the owner of an address that somebody else wants. They do not count as
   * notices: a stranger could use up those of the owner.
   */
  const wantedLimits = createMailLimits(limits, 'wanted-mail', notice_mail)

  return {
    /** The user's address, and the one that they have asked for. */
    async show(user: User) {
      const change = await emailKeys.changeOf(user)
      const verified = user.email_verified === 1
      return { email: user.email, verified, pending: change?.email_key ?? null }
    },

    /** Returns the faults of the fields. Users who have a password must send it. */
    async check(user: User, { email, password }: Form, turn: Turn) {
      const isOwn = email !== undefined && nameKey(email) === user.email
      return {
        ...(email !== undefined && signup.check(email)),
        ...(isOwn && { email: [fault('own_email')] }),
        password: await ownPassword.faultsOf(user, password, turn),
      } satisfies Record<string, readonly Fault[]>
    },

    /**
     * Does the same work and gives the same answer, whether or not somebody has the address. A second
     * request replaces the first.
     */
    async request(identity: Identity, email: string, client: string): Promise<void> {
      const address = nameKey(email)
      // Asked before the address is looked up, so that a refusal does not tell whether it is taken.
      await host.changingEmail?.({
        user: asHookUser(identity.user),
        email: address,
        address: client,
      })
      const ask = () =>
        transaction(db, async (tx) => {
          const user = await users.stillSignedIn(identity, tx)
          if (user.email === address) throw fieldProblem({ email: [fault('own_email')] })
          const found = await users.findByEmail(address, tx)
          // It may be a further address of the user themself, from Django.
          const holder = found?.id === user.id ? undefined : found
          const may = {
            // A taken address has a count of its own: strangers must neither use up the mails of its
            // owner nor learn from them that it is taken.
            mailLink: await verifyLimits.mayMail(holder ? `taken:${address}` : address, tx),
            tellOwner: await wantedLimits.mayMail(address, tx),
          }
          const pending = await emailKeys.changeOf(user, tx)
          // No other link may be mailed now, so the earlier one stays valid.
          if (!may.mailLink && pending?.email_key === address) return

          await emailKeys.dropChange(user.id, tx)
          const isSent = may.mailLink && (!holder || (holder.is_active === 1 && may.tellOwner))
          const isMailed = isSent && !holder
          const key = await emailKeys.add('change', user, address, tx, { isMailed })
          // The letter belongs to the owner of the address, or else to the user who asks.
          const letter = { ...letterTo(address, key, holder), userId: holder?.id ?? user.id }
          await (isSent ? outbox.post : outbox.pretend)(letter, tx)
          await outbox.notify(user, 'email-change-requested', tx)
          await audit.record({ userId: user.id, event: 'email_change_requested' }, tx)
        })
      // If the owner of the address is deleted meanwhile, the second try finds it free.
      await ask().catch((error) => (isOfDeletedUser(error) ? ask() : Promise.reject(error)))
    },

    cancel: ({ id }: User): Promise<void> =>
      transaction(db, async (tx) => {
        await users.lock(id, tx)
        const isDropped = await emailKeys.dropChange(id, tx)
        if (isDropped) await audit.record({ userId: id, event: 'email_change_cancelled' }, tx)
      }),

    /** Gives the user the new address, which the key proves. It logs nobody in. */
    async confirm(key: string): Promise<void> {
      try {
        await transaction(db, async (tx) => {
          const { before, email } = await spend(key, tx)
          await replaceAddress(before, { email, verified: true }, tx)
        })
      } catch (error) {
        // The address was free when the link was mailed. By now somebody else has it.
        if (isUniqueViolation(error)) throw problem('not_found')
        throw error
      }
    },

    /**
     * The account that wants the address. The owner of the mailbox may be a stranger, so they learn
     * only its username.
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

  /** The owner of a taken address gets no key. It contains no word that a stranger chose. */
  function letterTo(to: string, key: string, holder: User | undefined): Letter {
    if (holder) return { to, template: 'address-wanted', values: {} }
    const link = place().EMAIL_CHANGE_URL.replaceAll('{key}', key)
    return { to, template: 'change-email', values: { link, key } }
  }
}

/** A new password or a deactivation voids what was asked for before. */
const isOpen = (user: User, { epoch }: EmailKey): boolean =>
  user.is_active === 1 && user.epoch === epoch
