import { pkOf } from '../../core/identity.ts'
import type { Door } from '../login/gate.ts'
import { isOperator, type NewAdminSession } from '../operators/admin-sessions.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'

/**
 * The door to the admin pages. It opens for operators with two factors. Operators who have no second
 * factor at all get a session that can only set one up.
 */
export function createAdminDoor({
  db,
  adminSessions,
  operatorPasskey,
  mfa,
  audit,
}: UpToPasskeys): Door<NewAdminSession, null> {
  return {
    admits: isOperator,
    challenges: mfa.adminChallenges,
    prepare: async () => null,

    check: (user, { isStrong }) =>
      operatorPasskey.mustBeUsed(user, { hasTwoFactors: isStrong }, db),

    async open(user, { method, isStrong, visitor }, tx) {
      // The passkey was added during this login.
      await operatorPasskey.mustBeUsed(user, { hasTwoFactors: isStrong }, tx)
      const session = await adminSessions.start(user, { isProved: isStrong }, tx)
      const { id, username } = user
      const { address } = visitor.device
      await audit.record(
        {
          userId: id,
          event: 'admin_login',
          details: { method, second_factor: isStrong ? 'yes' : 'none' },
          operator: { kind: 'person', pk: pkOf(user), name: username, address },
          // A thief of the password can repeat a login without a second factor.
          ...(!isStrong && { countedBy: String(id) }),
        },
        tx,
      )
      return () => session
    },
  }
}
