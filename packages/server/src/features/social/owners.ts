import type { Registering } from '../../core/hooks.ts'
import { unusablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { nameKey } from '../../kernel/names.ts'
import { fieldProblem, Problem, problem } from '../../kernel/problems.ts'
import { isOfDeletedUser } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Invitation, SocialAccount, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToAddresses } from '../addresses/feature.ts'
import type { Visitor } from '../login/gate.ts'
import { hasProved } from '../users/identifiers.ts'
import { isUnproved } from '../users/proved-address.ts'
import type { ProvenIdentity } from './prove-identity.ts'
import { addAccountIfFree, findByIdentity } from './social-queries.ts'

type Owner = {
  user: User
  account: SocialAccount
  /** Whether this login has linked the account, and the second factor has to confirm that. */
  awaitsFactor: boolean
}

/** A new user: their address, wishes for their username, and their invitation if they need one. */
type Newcomer = {
  email: string
  wishes: readonly string[]
  invited: Invitation | null
  language: string | null
}

/** Finds the user of an identity: by provider, issuer and subject, never by the address. */
export function createOwners(house: UpToAddresses & { linkAccount: LinkAccount }) {
  const { db, host, users, usernameRules, signup, linkAccount, mfa, events, settings } = house
  const { registering } = host
  const { EMAIL_AUTHENTICATION } = settings.SOCIALACCOUNT
  const maySignUp = settings.SOCIALACCOUNT.SIGNUP && settings.ACCOUNT.SIGNUP !== 'closed'
  const mustBeVerified = settings.ACCOUNT.EMAIL_VERIFICATION === 'mandatory'

  return {
    /** At the first login, adds a user or, if the settings allow it, links an existing one. */
    async ofIdentity(
      identity: ProvenIdentity,
      visitor: Visitor,
      invitation: string | undefined,
    ): Promise<Owner> {
      const known = await find(identity)
      if (known) return known
      try {
        const newcomer = await admitNewcomer(identity, visitor, invitation)
        return await transaction(db, (tx) => welcome(identity, newcomer, tx))
      } catch (error) {
        // A parallel request may have added the same identity, and used up the invitation.
        const winner = await find(identity)
        if (winner) return winner
        // The user with the same address was deleted meanwhile.
        throw isOfDeletedUser(error) ? problem('wrong_credentials') : error
      }
    },
  }

  async function find(identity: ProvenIdentity): Promise<Owner | null> {
    const account = await findByIdentity(db, identity)
    const user = account && (await users.findById(account.user_id))
    return user ? { user, account, awaitsFactor: false } : null
  }

  /**
   * Refuses a new user who must not be added, before anything is written. Returns null if the
   * address already has a user.
   */
  async function admitNewcomer(
    identity: ProvenIdentity,
    { device, language = null }: Visitor,
    invitation: string | undefined,
  ): Promise<Newcomer | null> {
    const proven = provenAddress(identity)
    if (proven !== '' && (await users.findByEmail(proven))) return null
    if (!maySignUp) throw problem('social_signup_closed')
    const invited = await signup.admit(invitation)
    const email = invited?.email_key ?? proven
    const faults = signup.check(email, invited)
    if (faults.email) throw fieldProblem(faults)
    // Without an address the user could never confirm one, and so never log in.
    if (mustBeVerified && email === '') throw problem('email_not_verified')
    const fields = fieldsOf(identity, email)
    await registering?.({ fields, method: 'social', address: device.address })
    const wishes = await usernameRules.goodWishes(identity.profile.names, fields)
    return { email, wishes, invited, language }
  }

  async function welcome(
    identity: ProvenIdentity,
    newcomer: Newcomer | null,
    tx: Tx,
  ): Promise<Owner> {
    const email = provenAddress(identity)
    const namesake = email === '' ? undefined : await lockHolderOf(email, tx)
    const user = namesake ? linkable(namesake, identity) : await addUser(identity, newcomer, tx)
    // The second factor is still to come, and may never be given.
    const isUnsure = namesake !== undefined && (await mfa.isOn(namesake.id, tx))
    const account = await linkAccount(identity, { user, isNew: !namesake, isUnsure }, tx)
    if (!account) throw new Error('The identity was taken in the meantime.')
    return { user, account, awaitsFactor: isUnsure && !isUnproved(user) }
  }

  /** Asks again under the lock, since the user may have been changing their address. */
  async function lockHolderOf(email: string, tx: Tx): Promise<User | undefined> {
    const found = await users.findByEmail(email, tx)
    if (!found) return undefined
    await users.lock(found.id, tx)
    const holder = await users.findByEmail(email, tx)
    if (holder?.id !== found.id) throw problem('wrong_credentials')
    return holder
  }

  /** The same address is a proof only if both sides have verified it. */
  function linkable(namesake: User, identity: ProvenIdentity): User {
    const mayLink = identity.linksByEmail ?? EMAIL_AUTHENTICATION
    const isProved = hasProved(namesake, nameKey(provenAddress(identity)))
    if (!mayLink || !isProved) throw problem('social_email_taken')
    if (!namesake.is_active) throw problem('wrong_credentials')
    if (mustBeVerified && !namesake.email_verified) throw problem('email_not_verified')
    return namesake
  }

  async function addUser(
    identity: ProvenIdentity,
    newcomer: Newcomer | null,
    tx: Tx,
  ): Promise<User> {
    // The user with this address was deleted meanwhile, so nobody has checked a new one.
    if (!newcomer) throw problem('wrong_credentials')
    const { email, wishes, invited, language } = newcomer
    const { firstName: first_name, lastName: last_name } = identity.profile
    const account = { email, password: unusablePassword(), verified: email !== '', active: true }
    const details = { ...account, first_name, last_name, language }
    const add = () =>
      users.addUnderFreeName(wishes, details, tx).catch((error: unknown) => {
        // The only possible refusal: the address was registered meanwhile.
        throw error instanceof Problem ? problem('social_email_taken') : error
      })
    const user = await signup.enrol(invited, {}, add, tx)
    await events.note('registered', user, { method: 'social' }, tx)
    return user
  }
}

/**
 * An address that the provider has not verified is not stored. It would keep its real owner from
 * registering, and the answer would tell whether a user has it.
 */
const provenAddress = ({ profile: { address } }: ProvenIdentity): string =>
  address?.isVerified ? address.email : ''

const fieldsOf = ({ profile }: ProvenIdentity, email: string): Registering['fields'] => ({
  username: '',
  email: nameKey(email),
  first_name: profile.firstName,
  last_name: profile.lastName,
})

type LinkAccount = ReturnType<typeof createLinkAccount>

/** A link is unsure while only an address stands for it. It is marked like an unproved addition. */
type Linked = { user: User; isNew: boolean; isUnsure?: boolean }

/** Links an identity to a user, and sends a notice. Undefined if it already belongs to a user. */
export function createLinkAccount({ audit, outbox, clock }: UpToAddresses) {
  return async (
    { provider, issuer, subject }: ProvenIdentity,
    { user, isNew, isUnsure }: Linked,
    tx: Tx,
  ): Promise<SocialAccount | undefined> => {
    const now = clock.now()
    const account = await addAccountIfFree(tx, {
      user_id: user.id,
      provider,
      issuer,
      subject,
      created_at: now,
      last_login_at: now,
      added_unproved: isUnsure ? 1 : isUnproved(user),
    })
    if (!account) return undefined

    const event = isNew ? 'social_sign_up' : 'social_account_connected'
    await audit.record({ userId: user.id, event, details: { provider } }, tx)
    if (!isNew) await outbox.notify(user, 'social-account-connected', tx)
    return account
  }
}
