import { type Impersonation, NEVER_HERE } from '../../core/identity.ts'
import { digest } from '../../crypto/digests.ts'
import { MINUTE, SECOND } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import { unlessRefused } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import { transaction } from '../../storage/transaction.ts'
import { impersonator } from '../audit/audit.ts'
import type { UpToEvents } from '../events/feature.ts'
import {
  addImpersonation,
  findByLink,
  findImpersonation,
  type ImpersonationRow,
  listImpersonations,
  listImpersonationsBy,
  listImpersonationsOf,
  removeImpersonation,
  spendLink,
} from './impersonations-queries.ts'
import { addLogin, endLogin } from './logins-queries.ts'

/** Who uses the account, why, and from where. */
export type Impersonator = { operator: User; reason: string; address: string | null }

/** The impersonation of a request, and when it ends at the latest. */
export type Ongoing = { restriction: Impersonation; expiresAt: number }

type Found = NonNullable<Awaited<ReturnType<typeof findImpersonation>>>

/** `revoked`: a login of the user was ended, or the operator has lost the right. */
type End = 'logout' | 'revoked'

const LIFETIME = 30 * MINUTE
const LINK_LIFETIME = 60 * SECOND
const KEY_BYTES = 24

/**
 * Operators who use the account of a user. Their credentials belong to a login of the user, so they
 * end with it. Each request also looks at the operator.
 */
export function createImpersonations({ db, clock, users, audit, settings }: UpToEvents) {
  return {
    /** The transaction must hold the row of the user. `key` is for a link that starts a session. */
    async start(user: User, { operator, reason, address }: Impersonator, tx: Tx) {
      const now = clock.now()
      const expiresAt = now + LIFETIME
      const login = await addLogin(tx, {
        user_id: user.id,
        method: 'impersonation',
        session_digest: null,
        // The device is not one of the user.
        address: null,
        user_agent: null,
        created_at: now,
        last_used_at: now,
        expires_at: expiresAt,
        // The user has proved nothing, so the login is never fresh.
        authenticated_at: NEVER_HERE,
      })
      const key = randomToken(KEY_BYTES)
      const row = {
        login_id: login.id,
        user_id: user.id,
        operator_id: operator.id,
        operator_epoch: operator.epoch,
        operator_revoked_at: operator.revoked_at,
        address,
        reason,
        expires_at: expiresAt,
        link_digest: digest(key),
        link_until: now + LINK_LIFETIME,
      }
      await addImpersonation(tx, row)
      await record('impersonation_started', row, operator, {}, tx)
      return { loginId: login.id, expiresAt, key }
    },

    /** Spends the key of a link. Returns the id of the login, or null if the link is void. */
    async openLink(key: string, tx: Tx): Promise<number | null> {
      const found = await findByLink(tx, digest(key), clock.now())
      // Locked first, as everything that ends a login does.
      const user = found && (await users.lock(found.user_id, tx))
      if (!user || !(await spendLink(tx, digest(key)))) return null
      const current = await findImpersonation(tx, found.login_id)
      return current && mayGoOn(current, user) ? found.login_id : null
    },

    /** Returns null if it is over. A request that notices, or the sweep, writes that down. */
    async ongoing(loginId: number, user: User): Promise<Ongoing | null> {
      const found = await findImpersonation(db, loginId)
      if (!found) return null
      if (mayGoOn(found, user))
        return { restriction: restrictionOf(found), expiresAt: found.expires_at }
      await transaction(db, (tx) => end(found, 'revoked', tx)).catch(unlessRefused)
      return null
    },

    /** The operator ends it. */
    async leave(loginId: number): Promise<void> {
      const found = await findImpersonation(db, loginId)
      if (found) await transaction(db, (tx) => end(found, 'logout', tx))
    },

    /** Call it before all logins of the user are ended. */
    async endAllOf(userId: number, tx: Tx): Promise<void> {
      if (!settings.ADMIN_IMPERSONATION) return
      for (const row of await listImpersonationsOf(tx, userId)) await end(row, 'revoked', tx)
    },

    /** Call it before the operator is deleted. */
    async endAllBy(operatorId: number, tx: Tx): Promise<void> {
      for (const row of await listImpersonationsBy(tx, operatorId)) await end(row, 'revoked', tx)
    },

    /** Ends those that no request has ended. Returns how many. */
    async sweep(most: number): Promise<number> {
      const all = await listImpersonations(db, most)
      const over = all.filter((one) => one.open_login_id === null || !mayGoOn(one))
      for (const row of over) await transaction(db, (tx) => end(row, 'revoked', tx))
      return over.length
    },
  }

  /** The operator must still be one, and no credential of theirs may have been revoked since. */
  function mayGoOn(found: Found, user?: User): boolean {
    return (
      settings.ADMIN_IMPERSONATION &&
      clock.now() < found.expires_at &&
      found.is_active === 1 &&
      (found.is_staff === 1 || found.is_superuser === 1) &&
      found.epoch === found.operator_epoch &&
      found.revoked_at === found.operator_revoked_at &&
      (!user || isOrdinary(user))
    )
  }

  /** Locks the user first, as a login does. Of parallel calls one writes the audit row. */
  async function end(row: ImpersonationRow, how: End, tx: Tx): Promise<void> {
    await users.lock(row.user_id, tx)
    if (!(await removeImpersonation(tx, row.login_id))) return
    await endLogin(tx, row.login_id)
    const operator = await users.findById(row.operator_id, tx)
    const details = { how: row.expires_at <= clock.now() ? 'expired' : how }
    await record('impersonation_ended', row, operator ?? nameless(row), details, tx)
  }

  function record(
    event: 'impersonation_started' | 'impersonation_ended',
    { user_id: userId, address, reason }: ImpersonationRow,
    operator: Impersonation['operator'],
    details: Record<string, string>,
    tx: Tx,
  ): Promise<void> {
    return audit.record(
      { userId, event, details, operator: impersonator({ operator, reason }, address) },
      tx,
    )
  }
}

/** Of a deleted operator only the key is known. */
const nameless = ({ operator_id: id }: ImpersonationRow) => ({ id, uuid: null, username: '' })

/** Operators cannot be impersonated: their rights would be lent to others. */
export const isOrdinary = ({ is_active, is_staff, is_superuser }: User): boolean =>
  is_active === 1 && is_staff === 0 && is_superuser === 0

const restrictionOf = ({ operator_id: id, uuid, username, reason }: Found): Impersonation => ({
  kind: 'impersonation',
  operator: { id, uuid, username: username ?? '' },
  reason,
})
