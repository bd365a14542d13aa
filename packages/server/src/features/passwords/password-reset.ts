import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import type { PasswordHasher } from '../../crypto/password-hash/password-hasher.ts'
import type { Clock } from '../../kernel/clock.ts'
import { nameKey } from '../../kernel/names.ts'
import { fault, fieldProblem } from '../../problems.ts'
import type { User } from '../../storage/schema.ts'
import type { Stores } from '../../stores.ts'
import type { Audit } from '../audit/audit.ts'
import { accountOf } from '../limits/counted-by.ts'
import type { MailLimits } from '../limits/mail-limits.ts'
import type { Letter } from '../mail/letter.ts'
import type { Outbox } from '../mail/outbox.ts'
import { revokeEverything } from '../tokens/revocation.ts'
import type { UnprovedAdditions } from '../users/unproved-additions.ts'
import type { Users } from '../users/users.ts'
import type { Guesses } from './guesses.ts'
import { hashNewPassword, type NewPassword } from './new-password.ts'
import type { PasswordRules } from './password-rules.ts'
import type { ResetTokens, TokenOwner } from './reset-tokens.ts'
import { pkOf, uidOf } from './uid.ts'

export type PasswordReset = ReturnType<typeof createPasswordReset>

/** What the mail carries. */
export type ResetLink = { uid: string; token: string }

type Needs = {
  stores: Stores
  users: Users
  outbox: Outbox
  audit: Audit
  unprovedAdditions: UnprovedAdditions
  mailLimits: MailLimits
  guesses: Guesses
  rules: PasswordRules
  hasher: PasswordHasher
  tokens: ResetTokens
  /** With `{uid}` and `{token}`. */
  linkTemplate: string
  clock: Clock
}

type Recipient = TokenOwner & Pick<User, 'username' | 'email_verified'>

const NOBODY: Recipient = {
  id: 0,
  epoch: 0,
  last_login_at: null,
  email: '',
  email_verified: 0,
  username: '',
}

/** For users who forgot their password, and whom their mailbox identifies. */
export function createPasswordReset(needs: Needs) {
  const { stores, users, outbox, audit, unprovedAdditions, tokens, clock } = needs
  const { mailLimits, guesses, rules, hasher } = needs

  return {
    /** The same work, whether or not there is anybody to write to; the answer is the same, too. */
    async request(email: string): Promise<void> {
      if (!(await mailLimits.mayMail(nameKey(email)))) return
      const user = await users.findByEmail(email)
      const deliver = user?.is_active ? outbox.post : outbox.pretend
      await deliver(letterTo(user ?? NOBODY), stores.outbox)
    },

    /** Whether the link still works, for the page behind it. */
    async isGood({ uid, token }: ResetLink): Promise<boolean> {
      const user = await ownerOf(uid)
      return user !== undefined && tokens.isFor(user, token)
    },

    /**
     * The token is checked before the password, so that the rules tell nothing to strangers. It
     * came by mail: whoever brings it has proved the address, maybe as the first one.
     */
    async confirm({ uid, token }: ResetLink, typed: NewPassword, turn: Turn): Promise<void> {
      const user = await ownerOf(uid)
      if (!user) throw fieldProblem({ uid: [fault('invalid_value')] })
      if (!tokens.isFor(user, token)) throw tokenRefused()

      const hash = await hashNewPassword(typed, user, turn, { rules, hasher })
      await stores.transaction(async (tx) => {
        const before = await tx.users.lock(user.id)
        const changed = await tx.users.resetPassword(user, hash)
        // Used by somebody quicker, or void since.
        if (!before || !changed) throw tokenRefused()
        await revokeEverything(tx, user.id, clock.now())
        await outbox.notify(changed, 'password-changed', tx)
        await audit.record({ userId: user.id, event: 'password_reset' }, tx.audit)
        if (!before.email_verified) await unprovedAdditions.removeFrom(changed, tx)
      })
      // Whoever guessed did not guess the new password.
      await guesses.forgive({ account: accountOf(user) })
    },
  }

  async function ownerOf(uid: string): Promise<User | undefined> {
    const pk = pkOf(uid)
    return pk === null ? undefined : users.findById(pk)
  }

  function letterTo(user: Recipient): Letter {
    // The owner of an unconfirmed address may not be the one who chose the name.
    const username = user.email_verified ? user.username : ''
    const link = needs.linkTemplate
      .replaceAll('{uid}', uidOf(user.id))
      .replaceAll('{token}', tokens.make(user))
    return { to: user.email, template: 'reset-password', values: { link, username } }
  }
}

const tokenRefused = () => fieldProblem({ token: [fault('invalid_value')] })
