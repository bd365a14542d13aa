import { isUsablePassword, unusablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { problem } from '../../kernel/problems.ts'
import type { Db, Tx } from '../../storage/handle.ts'
import type { LoginCode, User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Audit } from '../audit/audit.ts'
import type { Events } from '../events/events.ts'
import type { FailedLogins } from '../limits/failed-logins.ts'
import type { Gate, LoginAnswer, Visitor } from '../login/gate.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Revocation } from '../tokens/revocation.ts'
import type { DjangoOrigins } from '../users/django-origins.ts'
import type { RemoveUnproved } from '../users/proved-address.ts'
import type { Users } from '../users/users.ts'
import { NOBODY, type OpenCodes } from './open-codes.ts'
import type { ShortCodes } from './short-codes.ts'

export type LogInByCode = ReturnType<typeof createLogInByCode>

export type TypedCode = { sessionId: string; code: string }

type Needs = {
  db: Db
  users: Users
  openCodes: OpenCodes
  shortCodes: ShortCodes
  failedLogins: FailedLogins
  gate: Gate
  revocation: Revocation
  djangoOrigins: DjangoOrigins
  removeUnproved: RemoveUnproved
  outbox: Outbox
  audit: Audit
  events: Events
  count(outcome: 'failure'): void
}

/** Logs a user in who got a code by mail. Wrong codes count as failed logins of the account. */
export function createLogInByCode(needs: Needs) {
  const { db, users, openCodes, shortCodes, failedLogins, gate, count } = needs
  const { revocation, djangoOrigins, removeUnproved, outbox, audit, events } = needs

  return async ({ sessionId, code }: TypedCode, visitor: Visitor): Promise<LoginAnswer> => {
    const known = await openCodes.find(sessionId)
    if (!known) throw problem('login_code_expired')
    const { account } = known
    const attempt = { account, address: visitor.address }
    await failedLogins.refuseIfTooMany(attempt)

    const session = await openCodes.takeTry(sessionId)
    if (!session) throw problem('login_code_expired')
    const typed = code.replace(/\s/g, '')
    // An unknown or inactive user costs the same lookups and the same comparison.
    const user = await users.findById(session.user_id)
    const mayBeRight = await shortCodes.mayBeRight(account, typed)
    const right = await openCodes.typedCode(session, user ?? NOBODY, typed)
    if (!user?.is_active || !mayBeRight || !right) {
      count('failure')
      await failedLogins.count(attempt)
      throw problem('mfa_code_invalid')
    }
    await shortCodes.wasRight(account, typed)
    // Checked again: guesses made in the meantime count, too.
    await failedLogins.refuseIfTooMany(attempt)
    const proved = await transaction(db, (tx) => spend(session, right, typed, tx))
    await failedLogins.forgive(attempt)
    return gate.completeLogin(proved, { method: 'code', isStrong: false, visitor })
  }

  /** Returns the user, whose address is proved by now. */
  async function spend(session: LoginCode, right: LoginCode, typed: string, tx: Tx): Promise<User> {
    const user = await users.lock(session.user_id, tx)
    const isFirst = await openCodes.spend(session, right, tx)
    // Compared again: the password or the address may have changed in the meantime.
    const isRight = user?.is_active && openCodes.isCode(right, user, typed)
    if (!isFirst || !isRight) throw problem('login_code_expired')
    await audit.record({ userId: user.id, event: 'login_by_code' }, tx)
    const proved = user.email_verified ? user : await proveAddress(user, tx)
    await removeUnproved(proved, tx)
    return proved
  }

  /**
   * A stranger may have registered with this address. Its owner now takes over what is there, as by a
   * password reset: nothing that let the stranger in stays good. What came from Django counts as the
   * owner's, and stays.
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
