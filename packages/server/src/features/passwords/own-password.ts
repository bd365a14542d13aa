import type { Identity } from '../../core/identity.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { type Fault, fault, problem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToDevices } from '../devices/feature.ts'
import { accountOf } from '../limits/limits.ts'
import type { NewSession } from '../sessions/start-logins.ts'
import { hashNewPassword, type NewPassword, type PasswordRules } from './password-rules.ts'

export type OwnPassword = ReturnType<typeof createOwnPassword>

type Needs = UpToDevices & { passwordRules: PasswordRules }

/** The password of a user who is signed in. */
export function createOwnPassword(needs: Needs) {
  const { db, users, sessions, revocation, outbox, audit, events } = needs
  const { failedLogins, hashKinds, settings } = needs

  return {
    isRight,

    /** The faults of the password that confirms a change. Users without a password need none. */
    async faultsOf(user: User, typed: string | undefined, turn: Turn): Promise<Fault[]> {
      if (!isUsablePassword(user.password)) return []
      if (typed === undefined) return [fault('required')]
      return (await isRight(user, typed, turn)) ? [] : [fault('password_invalid')]
    },

    /** Returns the new id of the current session, which continues. */
    async change(identity: Identity, typed: NewPassword, turn: Turn): Promise<NewSession | null> {
      const { user, via, loginId } = identity
      const hash = await hashNewPassword(typed, user, turn, needs)
      return transaction(db, async (tx) => {
        await users.stillSignedIn(identity, tx)
        const changed = await users.changePassword(user, hash, tx)
        if (!changed) throw problem('not_authenticated')
        await outbox.notify(changed, 'password-changed', tx)
        await audit.record({ userId: user.id, event: 'password_changed' }, tx)
        await events.note('passwordChanged', changed, { method: 'change' }, tx)
        if (settings.REST_AUTH.LOGOUT_ON_PASSWORD_CHANGE) {
          await revocation.ofEverything(user.id, tx)
          return null
        }
        await revocation.ofOtherLogins(user.id, loginId, tx)
        return via === 'session' && loginId !== null ? sessions.rotate(loginId, tx) : null
      })
    },
  }

  /** Limits guesses like login does. Otherwise a stolen credential could guess the password. */
  async function isRight(user: User, password: string, turn: Turn): Promise<boolean> {
    const attempt = { account: accountOf(user), address: turn.client }
    const check = async () => (await hashKinds.verify(password, user.password, turn)) || null
    return (await failedLogins.guess(attempt, check)) !== null
  }
}
