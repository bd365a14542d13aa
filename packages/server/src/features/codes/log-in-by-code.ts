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
import type { ProvedAddress } from '../users/proved-address.ts'
import type { UnprovedAdditions } from '../users/unproved-additions.ts'
import type { Users } from '../users/users.ts'
import { NOBODY, type OpenCodes } from './open-codes.ts'

export type LogInByCode = ReturnType<typeof createLogInByCode>

export type TypedCode = { sessionId: string; code: string }

type Needs = {
  db: Db
  users: Users
  openCodes: OpenCodes
  failedLogins: FailedLogins
  gate: Gate
  revocation: Revocation
  provedAddress: ProvedAddress
  unprovedAdditions: UnprovedAdditions
  outbox: Outbox
  audit: Audit
  events: Events
  count(outcome: 'failure'): void
}

/** Logs a user in who got a code by mail. Wrong codes count as failed logins of the account. */
export function createLogInByCode(needs: Needs) {
  const { db, users, openCodes, failedLogins, gate, count } = needs
  const { revocation, provedAddress, unprovedAdditions, outbox, audit, events } = needs

  return async (typed: TypedCode, visitor: Visitor): Promise<LoginAnswer> => {
    const known = await openCodes.find(typed.sessionId)
    if (!known) throw problem('login_code_expired')
    const attempt = { account: known.account, address: visitor.address }
    await failedLogins.refuseIfTooMany(attempt)

    const open = await openCodes.takeTry(typed.sessionId)
    if (!open) throw problem('login_code_expired')
    // An unknown or inactive user costs the same lookup and the same comparison.
    const user = await users.findById(open.user_id)
    const isRight = openCodes.isRight(open, typed.sessionId, user ?? NOBODY, typed.code)
    if (!user?.is_active || !isRight) {
      count('failure')
      await failedLogins.count(attempt)
      throw problem('mfa_code_invalid')
    }
    // Checked again: guesses made in the meantime count, too.
    await failedLogins.refuseIfTooMany(attempt)
    const proved = await transaction(db, (tx) => spend(open, typed, tx))
    await failedLogins.forgive(attempt)
    return gate.completeLogin(proved, { method: 'code', isStrong: false, visitor })
  }

  /** Returns the user, whose address is proved by now. */
  async function spend(open: LoginCode, { sessionId, code }: TypedCode, tx: Tx): Promise<User> {
    const user = await users.lock(open.user_id, tx)
    const isFirst = await openCodes.consume(sessionId, tx)
    // Compared again: the password or the address may have changed in the meantime.
    const isRight = user?.is_active && openCodes.isRight(open, sessionId, user, code)
    if (!isFirst || !isRight) throw problem('login_code_expired')
    await audit.record({ userId: user.id, event: 'login_by_code' }, tx)
    return user.email_verified ? user : proveAddress(user, tx)
  }

  /**
   * A stranger may have registered with this address. Where a proved address comes first, its owner
   * now takes over what is there, as by a password reset: nothing of the stranger stays good.
   */
  async function proveAddress({ id, email, password }: User, tx: Tx): Promise<User> {
    if (provedAddress.isNeeded) await users.replacePassword(id, unusablePassword(), tx)
    const proved = await users.markVerified(id, email, tx)
    if (!proved) throw problem('login_code_expired')
    await audit.record({ userId: id, event: 'email_verified' }, tx)
    if (provedAddress.isNeeded) {
      await revocation.ofEverything(id, tx)
      await unprovedAdditions.removeFrom(proved, tx)
      if (isUsablePassword(password)) {
        await outbox.notify(proved, 'logins-ended', tx)
        await events.note('passwordChanged', proved, { method: 'removed' }, tx)
      }
    }
    return proved
  }
}
