import type { Identity } from '../../core/identity.ts'
import type { Tx } from '../../storage/handle.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Users } from '../users/users.ts'
import type { Tokens } from './tokens.ts'

export type Revocation = ReturnType<typeof createRevocation>

type Needs = { users: Users; sessions: Sessions; tokens: Tokens }

/**
 * The one way to end what somebody is let in by. The user comes first in each: it is the first lock
 * of a login, too, and whoever takes locks in another order may wait for a login that waits for them.
 */
export function createRevocation({ users, sessions, tokens }: Needs) {
  return {
    /** Every credential of a user, on every device: token, sessions, refresh families. */
    async ofEverything(userId: number, tx: Tx): Promise<void> {
      await users.noteRevocation(userId, tx)
      await tokens.revoke(userId, tx)
      await sessions.endAllOf(userId, tx)
    },

    ofOtherLogins,

    /** Everything but the credential in use: the API token as well, unless it is the one. */
    async ofOtherCredentials({ user, via, loginId }: Identity, tx: Tx): Promise<void> {
      await ofOtherLogins(user.id, loginId, tx)
      if (via !== 'token') await tokens.revoke(user.id, tx)
    },
  }

  /** Every login but the one in use; the API token stays. */
  async function ofOtherLogins(userId: number, keptId: number | null, tx: Tx): Promise<void> {
    await users.noteRevocation(userId, tx)
    await sessions.endOthersOf(userId, keptId, tx)
  }
}
