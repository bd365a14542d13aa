import type { Identity } from '../../core/identity.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { type Fault, fault, problem } from '../../kernel/problems.ts'
import { transaction } from '../../storage/transaction.ts'
import type { UpToDevices } from '../devices/feature.ts'
import type { NewSession } from '../sessions/sessions.ts'
import { hashNewPassword, type NewPassword } from './new-password.ts'
import type { OwnPassword } from './own-password.ts'
import type { PasswordRules } from './password-rules.ts'

export type PasswordChange = ReturnType<typeof createPasswordChange>

type Needs = UpToDevices & { ownPassword: OwnPassword; rules: PasswordRules }

/** Lets signed-in users change their password. */
export function createPasswordChange(needs: Needs) {
  const { db, users, sessions, revocation, outbox, audit, ownPassword, rules, hasher } = needs
  const { events } = needs
  const { LOGOUT_ON_PASSWORD_CHANGE } = needs.settings.REST_AUTH

  return {
    async checkOld({ user }: Identity, oldPassword: string, turn: Turn): Promise<Fault[]> {
      const isRight = await ownPassword.isRight(user, oldPassword, turn)
      return isRight ? [] : [fault('old_password_wrong')]
    },

    /** Returns the new id of the current session, which goes on. */
    async change(identity: Identity, typed: NewPassword, turn: Turn): Promise<NewSession | null> {
      const { user, via, loginId } = identity
      const hash = await hashNewPassword(typed, user, turn, { rules, hasher })
      return transaction(db, async (tx) => {
        const changed = await users.changePassword(user, hash, tx)
        // The password was reset or changed, or the user deactivated, in the meantime.
        if (!changed) throw problem('not_authenticated')
        await outbox.notify(changed, 'password-changed', tx)
        await audit.record({ userId: user.id, event: 'password_changed' }, tx)
        await events.note('passwordChanged', changed, { method: 'change' }, tx)
        if (LOGOUT_ON_PASSWORD_CHANGE) {
          await revocation.ofEverything(user.id, tx)
          return null
        }
        await revocation.ofOtherLogins(user.id, loginId, tx)
        return via === 'session' && loginId !== null ? sessions.rotate(loginId, tx) : null
      })
    },
  }
}
