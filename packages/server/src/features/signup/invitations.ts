import * as Type from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import type { Identity } from '../../core/identity.ts'
import { Time } from '../../core/schemas.ts'
import { digest } from '../../crypto/digests.ts'
import { DAY, isoTime } from '../../kernel/clock.ts'
import { nameKey } from '../../kernel/names.ts'
import { fieldProblem, problem } from '../../kernel/problems.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import type { Invitation, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import { NO_USER } from '../audit/audit.ts'
import { accountOf, createMailLimits, createRateLimit } from '../limits/limits.ts'
import type { UpToLogin } from '../login/feature.ts'
import type { Letter } from '../mail/outbox.ts'
import type { Values } from '../users/user-values.ts'
import { emailTaken } from '../users/users.ts'
import {
  findByDigest,
  findInvitation,
  findOfUser,
  type ListedInvitation,
  listInvitations,
  listOfUser,
  putInvitation,
  removeInvitation,
  removeInvitationsTo,
  takeInvitations,
} from './invitations-queries.ts'

export type { ListedInvitation } from './invitations-queries.ts'

export type Invitations = ReturnType<typeof createInvitations>

/** What an operator gives to the new user. */
type Gifts = { groups: readonly string[]; fields: Values }

export const NO_GIFTS: Gifts = { groups: [], fields: {} }

const KEY_BYTES = 24
const LISTED_MAX = 1000

/** Keys to registration, mailed to one address each. The database stores only digests. */
export function createInvitations(house: UpToLogin) {
  const { db, users, userFields, outbox, audit, limits, provedAddress, place } = house
  const { clock, settings } = house
  const { invitation_mail: rates } = settings.ACCOUNT.RATE_LIMITS
  const perRecipient = rates.filter(({ per }) => per === 'key')
  const perInviter = rates.filter(({ per }) => per === 'user')
  const mailLimits = createMailLimits(limits, 'invitation-mail', perRecipient)
  const inviterLimit = createRateLimit(limits, 'invite', perInviter)
  const lifetimeMs = Math.round(settings.INVITATION_EXPIRE_DAYS * DAY)

  return {
    /** Undefined if the key is unknown, used, revoked or expired. */
    find: (key: string): Promise<Invitation | undefined> => withDigest(digest(key)),
    withDigest,

    /**
     * Spends the invitation, and every other one of its address. Of parallel uses of one key
     * exactly one succeeds.
     */
    async take(invitation: Invitation, tx: Tx): Promise<Invitation> {
      const taken = await takeInvitations(tx, invitation.digest, clock.now())
      const own = taken.find((one) => one.digest === invitation.digest)
      if (!own || !(await isInviterActive(own, tx))) throw problem('invitation_invalid')
      return own
    },

    ofUser: (user: User): Promise<Invitation[]> => listOfUser(db, user.id, LISTED_MAX),

    byUser,

    /** `permit` asks the rules for operators, and records what they do. */
    byOperator: (email: string, gifts: Gifts, permit: Permit): Promise<Invitation> =>
      transaction(db, (tx) =>
        sendOrRefuse({ inviter: null, address: nameKey(email) }, gifts, permit, tx),
      ),

    /** Mails a new key. The former one no longer works. */
    async resendByUser(inviting: Identity, id: number): Promise<Invitation> {
      const found = await findInvitation(db, id)
      if (found?.user_id !== inviting.user.id) throw problem('not_found')
      return byUser(inviting, found.email_key)
    },

    resend: (id: number, permit: Permit): Promise<ListedInvitation> =>
      transaction(db, async (tx) => {
        const found = await findInvitation(tx, id)
        if (!found) throw problem('not_found')
        const { user_id, email_key: address } = found
        const inviter = user_id === NO_USER ? null : await users.lock(user_id, tx)
        if (inviter === undefined) throw problem('not_found')
        // The link would not work.
        if (inviter?.is_active === 0) throw problem('user_not_active')
        const invitation = await sendOrRefuse({ inviter, address }, giftsOf(found), permit, tx)
        return { ...invitation, inviter: inviter?.username ?? null }
      }),

    revoke,

    revokeByUser: (user: User, id: number): Promise<void> =>
      revoke(id, async (removed, event, tx) => {
        if (removed.user_id !== user.id) throw problem('not_found')
        await record(user.id, event, removed, tx)
      }),

    /** Those with a smaller id, newest first. */
    list: (before: number, most: number): Promise<ListedInvitation[]> =>
      listInvitations(db, before, most),

    /** Removes invitations to the user, which belong to others. The user's own are deleted with their rows. */
    async forget(user: User, tx: Tx): Promise<void> {
      await removeInvitationsTo(tx, user.email)
      await inviterLimit.forgive({ account: accountOf(user) }, tx)
    },

    entry: {
      name: 'invitations',
      schema: Type.Array(Type.Object(shownFields)),
      read: async ({ id }, most) => (await listOfUser(db, id, most)).map(shownInvitation),
    } satisfies DossierEntry,
  }

  /** Does the same work and gives the same answer, whether or not somebody has the address. */
  async function byUser(inviting: Identity, email: string): Promise<Invitation> {
    provedAddress.mustBeThere(inviting.user)
    await inviterLimit.count({ account: accountOf(inviting.user), address: '' })
    const address = nameKey(email)
    const mayMail = await mailLimits.mayMail(address)
    return transaction(db, async (tx) => {
      const user = await users.stillSignedIn(inviting, tx)
      const former = await findOfUser(tx, user.id, address)
      const isValid = former !== undefined && former.expires_at > clock.now()
      // No other link may be mailed now, so the earlier one stays valid.
      if (isValid && !mayMail) return former
      const isFree = !(await users.findByEmail(address, tx))
      const sent = await send({ inviter: user, address, isSent: mayMail && isFree }, NO_GIFTS, tx)
      await record(user.id, 'invitation_sent', sent, tx)
      return sent
    })
  }

  /** For an operator, who may know why an invitation is not sent. */
  async function sendOrRefuse(
    { inviter, address }: { inviter: User | null; address: string },
    gifts: Gifts,
    permit: Permit,
    tx: Tx,
  ): Promise<Invitation> {
    // With an address or a unique value that a user already has, nobody could use the invitation.
    if (await users.findByEmail(address, tx)) throw emailTaken()
    const faults = await userFields.check(gifts.fields, null, tx)
    if (Object.keys(faults).length > 0) throw fieldProblem(faults)
    if (!(await mailLimits.mayMail(address, tx))) throw problem('mail_limit_reached')
    const invitation = await send({ inviter, address, isSent: true }, gifts, tx)
    await permit(invitation, 'invitation_sent', tx)
    return invitation
  }

  function revoke(id: number, permit: Permit): Promise<void> {
    return transaction(db, async (tx) => {
      const removed = await removeInvitation(tx, id)
      if (!removed) throw problem('not_found')
      await permit(removed, 'invitation_revoked', tx)
    })
  }

  async function withDigest(keyDigest: string): Promise<Invitation | undefined> {
    const found = await findByDigest(db, keyDigest, clock.now())
    return found && (await isInviterActive(found, db)) ? found : undefined
  }

  /** An invitation is void if the user who sent it is deleted, or while they are inactive. */
  async function isInviterActive({ user_id }: Invitation, within: Handle): Promise<boolean> {
    return user_id === NO_USER || (await users.findById(user_id, within))?.is_active === 1
  }

  async function send(
    { inviter, address, isSent }: { inviter: User | null; address: string; isSent: boolean },
    { groups, fields }: Gifts,
    tx: Tx,
  ): Promise<Invitation> {
    const key = randomToken(KEY_BYTES)
    const now = clock.now()
    const invitation = await putInvitation(tx, {
      digest: isSent ? digest(key) : `unsent:${key}`,
      user_id: inviter?.id ?? NO_USER,
      email_key: address,
      group_names: JSON.stringify(groups),
      fields: JSON.stringify(fields),
      created_at: now,
      expires_at: now + lifetimeMs,
    })
    const letter = { ...letterFor(invitation, key), userId: inviter?.id ?? null }
    await (isSent ? outbox.post : outbox.pretend)(letter, tx)
    return invitation
  }

  function record(userId: number, event: string, { id }: Invitation, tx: Tx): Promise<void> {
    return audit.record({ userId, event, details: { invitation: id } }, tx)
  }

  /** It contains no words of the inviter, who could otherwise send messages to strangers through it. */
  function letterFor({ email_key, expires_at }: Invitation, key: string): Letter {
    const link = place().INVITATION_URL.replaceAll('{key}', key)
    const date = isoTime(expires_at).slice(0, 10)
    return { to: email_key, template: 'invitation', values: { link, key, date } }
  }
}

type Permit = (invitation: Invitation, event: string, tx: Tx) => Promise<void>

export const giftsOf = ({ group_names, fields }: Invitation): Gifts => ({
  groups: JSON.parse(group_names),
  fields: JSON.parse(fields),
})

/** An invitation in an answer. */
export const shownFields = {
  id: Type.Integer({ examples: [1] }),
  email: Type.String({ examples: ['grace@example.com'] }),
  created_at: Time,
  expires_at: Time,
}

export const shownInvitation = (invitation: Invitation) => ({
  id: invitation.id,
  email: invitation.email_key,
  created_at: isoTime(invitation.created_at),
  expires_at: isoTime(invitation.expires_at),
})
