import { pkOf } from '../../core/pk.ts'
import type { FindPlace } from '../../core/place.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import type { PasswordHasher } from '../../crypto/password-hash/password-hasher.ts'
import { nameKey } from '../../kernel/names.ts'
import { fault, fieldProblem } from '../../kernel/problems.ts'
import { pkIn, uidOf } from '../../kernel/uid.ts'
import { unlessUserIsDeleted } from '../../storage/faults.ts'
import type { Db } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import type { FailedLogins } from '../limits/failed-logins.ts'
import { accountOf } from '../limits/limits.ts'
import type { MailLimits } from '../limits/mail-limits.ts'
import type { Letter, Outbox } from '../mail/outbox.ts'
import type { Revocation } from '../tokens/revocation.ts'
import type { RemoveUnproved } from '../users/unproved-additions.ts'
import type { Users } from '../users/users.ts'
import type { DjangoResetTokens } from './django-reset-tokens.ts'
import { hashNewPassword, type NewPassword } from './new-password.ts'
import type { PasswordRules } from './password-rules.ts'
import type { ResetTokens, TokenOwner } from './reset-tokens.ts'

export type PasswordReset = ReturnType<typeof createPasswordReset>

/** The values in the link of the mail. */
export type ResetLink = { uid: string; token: string }

type Needs = {
  db: Db
  users: Users
  revocation: Revocation
  outbox: Outbox
  events: Events
  audit: Audit
  removeUnproved: RemoveUnproved
  mailLimits: MailLimits
  failedLogins: FailedLogins
  rules: PasswordRules
  hasher: PasswordHasher
  tokens: ResetTokens
  /** Links that Django has mailed. */
  djangoTokens: DjangoResetTokens
  place: FindPlace
}

type Recipient = TokenOwner & Pick<User, 'uuid' | 'username' | 'email_verified'>

const NOBODY: Recipient = {
  id: 0,
  uuid: null,
  epoch: 0,
  last_login_at: null,
  email: '',
  email_verified: 0,
  username: '',
}

/** For users who forgot their password. Access to the mailbox identifies them. */
export function createPasswordReset(needs: Needs) {
  const { db, users, revocation, outbox, audit, removeUnproved, mailLimits } = needs
  const { events, failedLogins, rules, hasher, tokens, djangoTokens } = needs

  return {
    /** Does the same work and gives the same answer, whether or not somebody has the address. */
    async request(email: string): Promise<void> {
      if (!(await mailLimits.mayMail(nameKey(email)))) return
      const user = await users.findByEmail(email)
      const deliver = user?.is_active ? outbox.post : outbox.pretend
      const letter = { ...letterTo(user ?? NOBODY), userId: user?.id ?? null }
      await deliver(letter, db).catch(unlessUserIsDeleted)
    },

    /** For the page behind the link: whether the link still works. */
    async isGood({ uid, token }: ResetLink): Promise<boolean> {
      const user = await ownerOf(uid)
      return user !== undefined && (await whoseMail(user, token)) !== null
    },

    /** Refuses a link that does not work, in the words of `confirm`, and uses nothing up. */
    async check(link: ResetLink): Promise<void> {
      await goodOwner(link)
    },

    /**
     * The token is checked before the password, so that strangers learn nothing from the password
     * rules. The token came by mail, so whoever has it has proved the address, maybe for the first
     * time. A second factor stays: a mailbox alone must not open an account that has one.
     */
    async confirm(link: ResetLink, typed: NewPassword, turn: Turn): Promise<void> {
      const { user, isOurs } = await goodOwner(link)
      const hash = await hashNewPassword(typed, user, turn, { rules, hasher })
      await transaction(db, async (tx) => {
        // Django may have mailed its link to another address of the user.
        const changed = await users.resetPassword(user, hash, { provesAddress: isOurs }, tx)
        // The token was used or became void in the meantime.
        if (!changed) throw tokenRefused()
        await revocation.ofEverything(user.id, tx)
        await outbox.notify(changed, 'password-changed', tx)
        await audit.record({ userId: user.id, event: 'password_reset' }, tx)
        await events.note('passwordChanged', changed, { method: 'reset' }, tx)
        await removeUnproved(changed, tx)
      })
      // Earlier wrong guesses were about the old password.
      await failedLogins.forgive({ account: accountOf(user) })
    },
  }

  async function goodOwner({ uid, token }: ResetLink): Promise<{ user: User; isOurs: boolean }> {
    const user = await ownerOf(uid)
    if (!user) throw uidRefused()
    const mail = await whoseMail(user, token)
    if (mail === null) throw tokenRefused()
    return { user, isOurs: mail === 'ours' }
  }

  /** Who has mailed the token; null if it is not good for the user. */
  async function whoseMail(user: User, token: string): Promise<'ours' | 'django' | null> {
    if (tokens.isFor(user, token)) return 'ours'
    return (await djangoTokens.isFor(user, token)) ? 'django' : null
  }

  async function ownerOf(uid: string): Promise<User | undefined> {
    const pk = pkIn(uid)
    return pk === null ? undefined : users.findByPk(pk)
  }

  function letterTo(user: Recipient): Letter {
    // The name is left out if the address is unproved: a stranger may have chosen the name.
    const username = user.email_verified ? user.username : ''
    const [uid, token] = [uidOf(pkOf(user)), tokens.make(user)]
    const link = needs
      .place()
      .PASSWORD_RESET_URL.replaceAll('{uid}', uid)
      .replaceAll('{token}', token)
    return { to: user.email, template: 'reset-password', values: { link, uid, token, username } }
  }
}

export const uidRefused = () => fieldProblem({ uid: [fault('invalid_value')] })

export const tokenRefused = () => fieldProblem({ token: [fault('invalid_value')] })
