import { type Identity, isSharedKey } from '../../core/identity.ts'
import type { Tx } from '../../storage/handle.ts'
import type { UpToKeys } from '../keys/feature.ts'
import type { Tokens } from './tokens.ts'

type Needs = UpToKeys & { tokens: Tokens }

/**
 * The only way to end credentials. Each function locks the user's row first, as a login does.
 * Otherwise the two could wait for each other.
 */
export function createRevocation(needs: Needs) {
  const { everyFeature, users, sessions, adminSessions, tokens } = needs

  return {
    /** Ends every credential of a user on every device: token, sessions and refresh families. */
    async ofEverything(userId: number, tx: Tx): Promise<void> {
      await users.noteRevocation(userId, tx)
      await tokens.revoke(userId, tx)
      await sessions.endAllOf(userId, tx)
      await adminSessions.endAllOf(userId, tx)
      await everyFeature.loginsEnded(userId, tx)
      await everyFeature.revoked(userId, tx)
    },

    /** Ends one login. Returns whether the user had it. */
    async ofLogin(userId: number, loginId: number, tx: Tx): Promise<boolean> {
      await users.lock(userId, tx)
      return sessions.endOneOf(userId, loginId, tx)
    },

    /** Ends the API token. Returns whether the user had one. */
    async ofToken(userId: number, tx: Tx): Promise<boolean> {
      await users.lock(userId, tx)
      return tokens.revoke(userId, tx)
    },

    ofOtherLogins,

    /** Ends every credential but the one in use, which may be the API token. */
    async ofOtherCredentials(identity: Identity, tx: Tx): Promise<void> {
      const { user, loginId, adminSession } = identity
      await ofOtherLogins(user.id, loginId, tx, adminSession)
      if (!isSharedKey(identity)) await tokens.revoke(user.id, tx)
    },
  }

  /** Ends every login and admin session but the one in use. The API token stays. */
  async function ofOtherLogins(
    userId: number,
    keptId: number | null,
    tx: Tx,
    keptAdminSession?: string,
  ): Promise<void> {
    await users.noteRevocation(userId, tx)
    await sessions.endOthersOf(userId, keptId, tx)
    await adminSessions.endAllOf(userId, tx, keptAdminSession)
    await everyFeature.loginsEnded(userId, tx)
  }
}
