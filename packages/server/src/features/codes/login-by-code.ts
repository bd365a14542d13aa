import { isUsablePassword, unusablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { problem } from '../../kernel/problems.ts'
import { isOfDeletedUser } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import type { LoginCode, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import { accountNamed, accountOf, createMailLimits, unmailed } from '../limits/limits.ts'
import type { UpToLogin } from '../login/feature.ts'
import type { LoginAnswer, Visitor } from '../login/gate.ts'
import { signedAddress } from '../users/proved-address.ts'
import { NOBODY, type OpenCodes, type ShortCodes } from './open-codes.ts'

export type LoginByCode = ReturnType<typeof createLoginByCode>

type TypedCode = { sessionId: string; code: string }

type Needs = UpToLogin & { openCodes: OpenCodes; shortCodes: ShortCodes }

/** Mails a code to a user, and logs them in with it. */
export function createLoginByCode(house: Needs) {
  const { db, users, openCodes, shortCodes, limits, failedLogins, gate, metrics } = house
  const { revocation, djangoOrigins, removeUnproved, outbox, audit, events, settings } = house

  /** Long codes have their own limit: an attacker may have used up that of the short ones. */
  const mailLimits = (digits: number) =>
    createMailLimits(limits, `code-mail-${digits}`, settings.ACCOUNT.RATE_LIMITS.code_mail)

  return {
    /**
     * Returns the session that the code belongs to. Does the same work and gives the same answer for
     * every name: known or not, active or not. Mails beyond the limit are dropped silently. Then the
     * codes of the earlier mails are valid.
     */
    async send(given: { username: string; email: string }): Promise<string> {
      const named = users.identifierOf(given)
      if (!named) throw problem(`${users.neededName}_needed`)
      const user = await named.find()
      const send = async (to: User | undefined) => {
        const account = to ? accountOf(to) : accountNamed(named.key)
        const digits = await shortCodes.digitsFor(account)
        const hasMailbox = to?.is_active && to.email !== ''
        const recipient = hasMailbox ? to.email : unmailed(named.key)
        const mayMail = await mailLimits(digits).mayMail(recipient)
        const isSent = mayMail && hasMailbox
        const mailed = isSent ? 'now' : mayMail ? 'unsent' : 'earlier'
        return transaction(db, async (tx) => {
          // A code must not outlive an account that is being deleted. The lock is asked for unknown names, too.
          const current = await users.lock(to?.id ?? NOBODY.id, tx)
          const opening = { owner: (current && to) ?? NOBODY, account, mailed, digits } as const
          const { code, sessionId } = await openCodes.open(opening, tx)
          const letter = { ...letterTo(to?.email ?? '', code), userId: to?.id ?? null }
          await (isSent ? outbox.post : outbox.pretend)(letter, tx)
          return sessionId
        })
      }
      return send(user).catch((error) => {
        // The user was deleted meanwhile, so the name is unknown now.
        if (isOfDeletedUser(error)) return send(undefined)
        throw error
      })
    },

    /** Wrong codes count as failed logins of the account. */
    async logIn({ sessionId, code }: TypedCode, visitor: Visitor): Promise<LoginAnswer> {
      const known = await openCodes.find(sessionId)
      if (!known) throw problem('login_code_expired')
      const { account } = known
      const attempt = { account, address: visitor.turn.client }
      const typed = code.replace(/\s/g, '')
      const found = await failedLogins.guess(attempt, async () => {
        const session = await openCodes.takeTry(sessionId)
        if (!session) throw problem('login_code_expired')
        // An unknown or inactive user costs the same lookups and the same comparison.
        const user = await users.findById(session.user_id)
        const mayBeRight = await shortCodes.mayBeRight(account, typed)
        const right = await openCodes.typedCode(session, user ?? NOBODY, typed)
        if (user?.is_active && mayBeRight && right) {
          await shortCodes.wasRight(account, typed)
          return { session, right }
        }
        metrics.countLogin('failure')
        return null
      })
      if (!found) throw problem('mfa_code_invalid')
      const owner = await transaction(db, (tx) => spend(found.session, found.right, typed, tx))
      await failedLogins.forgive(attempt)
      const stillTheirs = async (_: Tx, current: User) =>
        signedAddress(current) === signedAddress(owner)
      const proof = { method: 'code', isStrong: false, visitor, stillTheirs, apply } as const
      // The code has proved the address. `apply` stores that if the host agrees to the login.
      return gate.completeLogin({ ...owner, email_verified: 1 }, proof)
    },
  }

  /** Uses the code up, and returns its user. */
  async function spend(session: LoginCode, right: LoginCode, typed: string, tx: Tx): Promise<User> {
    const user = await users.lock(session.user_id, tx)
    const isFirst = await openCodes.spend(session, right, tx)
    // Compared again: the password or the address may have changed in the meantime.
    const isRight = user?.is_active && openCodes.isCode(right, user, typed)
    if (!isFirst || !isRight) throw problem('login_code_expired')
    return user
  }

  /** Returns the user, with a proved address. */
  async function apply(tx: Tx, user: User): Promise<User> {
    await audit.record({ userId: user.id, event: 'login_by_code' }, tx)
    const proved = user.email_verified ? user : await proveAddress(user, tx)
    await removeUnproved(proved, tx)
    return proved
  }

  /**
   * A stranger may have registered with this address. Its owner now takes the account over, as with a
   * password reset, and everything that let the stranger in becomes void. An account from Django
   * counts as the owner's and keeps its password.
   */
  async function proveAddress({ id, email, password }: User, tx: Tx): Promise<User> {
    const mayBeOfStranger = !(await djangoOrigins.isFromThere(id, tx))
    if (mayBeOfStranger) await users.replacePassword(id, unusablePassword(), tx)
    const proved = await users.markVerified(id, email, tx)
    if (!proved) throw problem('login_code_expired')
    await audit.record({ userId: id, event: 'email_verified' }, tx)
    if (mayBeOfStranger) await revocation.ofEverything(id, tx)
    if (mayBeOfStranger && isUsablePassword(password)) {
      await outbox.notify(proved, 'logins-ended', tx)
      await events.note('passwordChanged', proved, { method: 'removed' }, tx)
    }
    return proved
  }
}

/** People read and type a code in groups of three digits. */
const letterTo = (to: string, code: string) =>
  ({
    to,
    template: 'login-code',
    values: { code: code.replace(/\d{3}(?=\d)/g, '$& ') },
  }) as const
