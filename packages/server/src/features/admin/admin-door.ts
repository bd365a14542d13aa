import { problem } from '../../kernel/problems.ts'
import type { Handle } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { Door, Proof } from '../login/gate.ts'
import { isOperator, type NewAdminSession } from '../operators/admin-sessions.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'

type Needs = UpToPasskeys & {
  /** False if passkeys are off, or belong to another domain than the admin pages. */
  hasPasskeys: boolean
}

/**
 * The door to the admin pages. It opens for operators with two factors. Operators who have no second
 * factor at all get a session that can only set one up.
 */
export function createAdminDoor({
  db,
  adminSessions,
  mfa,
  passkeys,
  audit,
  hasPasskeys,
}: Needs): Door<NewAdminSession, null> {
  /** Otherwise a stolen password could add a second factor of its own beside the passkey. */
  const isPasskeyDue = async (user: User, { isStrong }: Proof, within: Handle) =>
    !isStrong && hasPasskeys && (await passkeys.hasVerified(user, within))

  return {
    admits: isOperator,
    challenges: mfa.adminChallenges,
    prepare: async () => null,

    async check(user, proof) {
      if (await isPasskeyDue(user, proof, db)) throw problem('passkey_required')
    },

    async open(user, proof, tx) {
      // The passkey was added during this login.
      if (await isPasskeyDue(user, proof, tx)) throw problem('passkey_required')
      const { method, isStrong, visitor } = proof
      const session = await adminSessions.start(user, { isProved: isStrong }, tx)
      const { address } = visitor.device
      const details = { method, address, second_factor: isStrong ? 'yes' : 'none' }
      await audit.record({ userId: user.id, event: 'admin_login', details }, tx)
      return () => session
    },
  }
}
