import { digest } from '../../crypto/digests.ts'
import { nameKey } from '../../kernel/names.ts'
import { type Fault, fault, problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Invitation, User } from '../../storage/schema.ts'
import type { UpToLogin } from '../login/feature.ts'
import type { Values } from '../users/user-values.ts'
import { createMayUse } from './email-domains.ts'
import { giftsOf, type Invitations, NO_GIFTS } from './invitations.ts'

export type Signup = ReturnType<typeof createSignup>

type Needs = UpToLogin & { invitations: Invitations }

/**
 * Decides who may open an account. Every way to sign up asks it twice: `admit` before the visitor
 * learns anything else, and `enrol` in the transaction that adds the user.
 */
export function createSignup(needs: Needs) {
  const { users, userFields, audit, settings, invitations } = needs
  const { SIGNUP } = settings.ACCOUNT
  const isInvited = SIGNUP === 'invited'
  const mayUse = createMayUse(needs)

  return {
    isInvited,

    /** Refuses visitors who may not sign up. Returns their invitation, if they need one. */
    async admit(key: string | undefined): Promise<Invitation | null> {
      // Without invitations, USER_FIELDS may declare a field of this name, of any type.
      return readmit(isInvited && key !== undefined ? digest(key) : null)
    },
    readmit,

    /** The faults of an address. An invitation is good for its own address, and for no other. */
    check(email: string, invited: Invitation | null = null): { email?: Fault[] } {
      const isGood = invited ? email === '' || nameKey(email) === invited.email_key : mayUse(email)
      return isGood ? {} : { email: [fault('email_not_allowed')] }
    },

    /**
     * Spends the invitation, adds the user, and gives them their fields and what the inviter has
     * chosen for them.
     */
    async enrol(
      invited: Invitation | null,
      values: Values,
      add: () => Promise<User>,
      tx: Tx,
    ): Promise<User> {
      const accepted = invited && (await invitations.take(invited, tx))
      const user = await add()
      const { groups, fields } = accepted ? giftsOf(accepted) : NO_GIFTS
      const known = Object.entries(fields).filter(([name]) => name in userFields.declared)
      const all = { ...values, ...Object.fromEntries(known) }
      if (accepted) {
        const details = { invitation: accepted.id }
        await audit.record({ userId: user.id, event: 'invitation_accepted', details }, tx)
      }
      if (groups.length > 0) {
        await users.setStanding(user.id, { group_names: JSON.stringify(groups) }, tx)
      }
      const isChanged = groups.length > 0 || Object.keys(all).length > 0
      return isChanged ? (await userFields.set(user.id, all, tx)).user : user
    },
  }

  /** Admits a visitor whose key was checked before. Only the digest of the key was kept. */
  async function readmit(keyDigest: string | null): Promise<Invitation | null> {
    if (SIGNUP === 'closed') throw problem('signup_closed')
    if (!isInvited) return null
    if (keyDigest === null) throw problem('invitation_required')
    const found = await invitations.withDigest(keyDigest)
    if (!found) throw problem('invitation_invalid')
    return found
  }
}
