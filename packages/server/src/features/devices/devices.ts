import { type Identity, isSharedKey } from '../../core/identity.ts'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { readLoginId } from '../../kernel/ids.ts'
import { problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import type { Operator } from '../audit/audit.ts'
import { NO_END } from '../sessions/start-logins.ts'
import type { UpToTokens } from '../tokens/feature.ts'

export type Devices = ReturnType<typeof createDevices>

/** The id of the API token. Ids of logins are numbers. */
const TOKEN_ID = 'token'

/** Lists the logins of a user, and ends them. */
export function createDevices(house: UpToTokens) {
  const { db, users, sessions, tokens, revocation, audit, metrics } = house

  return {
    listOf,

    /** Newest first. Says which one sent the request. */
    async list(identity: Identity) {
      const listed = await listOf(identity.user)
      return listed.map((one) => ({ ...one, current: one.id === idOf(identity) }))
    },

    /** Returns whether it was the login that sent the request. */
    async end(identity: Identity, id: string): Promise<boolean> {
      await transaction(db, (tx) => endOne(identity.user, id, null, tx))
      metrics.countEndedLogins('one')
      return id === idOf(identity)
    },

    endOne,

    /**
     * Ends every credential but the one that sent the request. If that is the API token, which others
     * may have, it gets a new key, which is returned.
     */
    async endOthers(identity: Identity): Promise<string | null> {
      const { user } = identity
      const isShared = isSharedKey(identity)
      const key = await transaction(db, async (tx) => {
        await users.stillSignedIn(identity, tx)
        await revocation.ofOtherCredentials(identity, tx)
        const newKey = isShared ? await tokens.replace(identity, tx) : null
        // The token was revoked in the meantime.
        if (isShared && newKey === null) throw problem('invalid_token')
        await audit.record({ userId: user.id, event: 'other_logins_ended' }, tx)
        return newKey
      })
      metrics.countEndedLogins('others')
      return key
    },
  }

  /** With the API token, which is one entry for all devices that share it. */
  async function listOf({ id }: User, most?: number) {
    const logins = await sessions.listOf(id, most)
    const token = await tokens.ofUser(id)
    const listed = logins.map((login) => ({
      ...login,
      id: String(login.id),
      // Another service does not tell how a login began there.
      method: login.method === 'unknown' ? null : login.method,
      expires_at: login.expires_at === NO_END ? null : login.expires_at,
    }))
    const shared = token && {
      ...token,
      id: TOKEN_ID,
      method: 'token' as const,
      address: null,
      user_agent: null,
    }
    return [...listed, ...(shared ? [shared] : [])]
      .toSorted((one, other) => other.created_at - one.created_at)
      .map((one) => ({
        id: one.id,
        method: one.method,
        created_at: isoTime(one.created_at),
        last_used_at: isoTime(one.last_used_at),
        expires_at: isoTimeOrNull(one.expires_at),
        address: one.address,
        user_agent: one.user_agent,
      }))
  }

  /** Ends a login for an operator or, if that is null, for its user. */
  async function endOne(
    { id: userId }: User,
    id: string,
    operator: Operator | null,
    tx: Tx,
  ): Promise<void> {
    const loginId = readLoginId(id)
    const isEnded =
      id === TOKEN_ID
        ? await revocation.ofToken(userId, tx)
        : loginId !== null && (await revocation.ofLogin(userId, loginId, tx))
    if (!isEnded) throw problem('not_found')
    await audit.record({ userId, event: 'login_ended', details: { login: id }, operator }, tx)
  }
}

/** Null for a token of another service, which has no login here. */
function idOf(identity: Identity): string | null {
  if (isSharedKey(identity)) return TOKEN_ID
  return identity.loginId === null ? null : String(identity.loginId)
}
