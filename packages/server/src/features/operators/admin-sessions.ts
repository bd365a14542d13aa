import { digest } from '../../crypto/digests.ts'
import { isWithin, MINUTE, SECOND } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import { ADMIN_SESSION_AGE } from '../../settings/admin-view.ts'
import { unlessRefused } from '../../storage/faults.ts'
import type { Tx } from '../../storage/handle.ts'
import { keepYoungest } from '../../storage/rows-of-user.ts'
import type { User } from '../../storage/schema.ts'
import type { Context } from '../feature.ts'
import {
  addAdminSession,
  completeAdminSession,
  endAdminSession,
  endAdminSessionsOfUser,
  findAdminSession,
  hasAdminSession,
  noteAdminSessionUse,
  proveAdminSession,
} from './operators-queries.ts'

/** A session ends if nobody uses it for this long. */
const IDLE_MAX = 30 * MINUTE
/** A use is stored once a second at most. */
const NOTED_EVERY = SECOND
/** A change needs a proof that is not older. */
const PROOF_AGE = 5 * MINUTE

/** How long somebody may take to set up their first second factor. */
const SETUP_AGE = 15 * MINUTE

const ID_BYTES = 32
/** Far more than a person needs. */
const OPEN_MAX = 20

/** A person at the admin pages. */
type AdminSession = {
  readonly user: User
  /** The digest of the cookie, by which the session is known here. */
  readonly key: string
  /** Null if the person has no second factor yet. They can only set one up. */
  readonly provedAt: number | null
  readonly expiresAt: number
}

/** The id for the cookie, and the key by which the session is known here. */
export type NewAdminSession = { id: string; key: string; isProved: boolean }

/** Whether the user may log in at the admin pages. */
export const isOperator = ({ is_staff, is_superuser }: User): boolean =>
  is_staff === 1 || is_superuser === 1

/**
 * The sessions of the admin pages. They are not logins, and the public API does not know them. A
 * session ends at once when its user gets a new password or loses the flags, and with every revocation.
 */
export function createAdminSessions({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  return {
    /** Returns the id for the cookie. The transaction holds the user's row. Only the gate calls it. */
    async start(user: User, { isProved }: { isProved: boolean }, tx: Tx): Promise<NewAdminSession> {
      const id = randomToken(ID_BYTES)
      const now = clock.now()
      await addAdminSession(tx, {
        digest: digest(id),
        user_id: user.id,
        epoch: user.epoch,
        created_at: now,
        last_used_at: now,
        proved_at: isProved ? now : null,
        expires_at: now + (isProved ? ADMIN_SESSION_AGE : SETUP_AGE),
      })
      await keepYoungest(tx, 'admin_sessions', user.id, OPEN_MAX)
      return { id, key: digest(id), isProved }
    },

    /** Returns null for a session that is unknown, ended, idle or too old. */
    async identify(id: string): Promise<AdminSession | null> {
      const key = digest(id)
      const found = await findAdminSession(db, key)
      if (!found) return null
      const {
        session_epoch,
        session_last_used_at: lastUsedAt,
        session_proved_at: provedAt,
        session_expires_at: expiresAt,
        ...user
      } = found
      const now = clock.now()
      const isOver = now >= expiresAt || !isWithin(IDLE_MAX, lastUsedAt, now)
      const isTheirs = user.is_active === 1 && user.epoch === session_epoch && isOperator(user)
      if (isOver || !isTheirs) return null
      if (now >= lastUsedAt + NOTED_EVERY) {
        await noteAdminSessionUse(db, key, now).catch(unlessRefused)
      }
      return { user, key, provedAt, expiresAt }
    },

    /** The person has shown a second factor again. Returns false if the session has ended. */
    makeFresh: (key: string, tx: Tx): Promise<boolean> => proveAdminSession(tx, key, clock.now()),

    /**
     * The person has just set up a second factor, and has shown that it works. The session gets a
     * new id, so that the old one can do nothing more. Returns null if it has ended.
     */
    async complete(key: string): Promise<NewAdminSession | null> {
      const id = randomToken(ID_BYTES)
      const now = clock.now()
      const next = { digest: digest(id), proved_at: now, expires_at: now + ADMIN_SESSION_AGE }
      const isThere = await completeAdminSession(db, key, next)
      return isThere ? { id, key: next.digest, isProved: true } : null
    },

    /** Whether it has not been ended. */
    isThere: (key: string, tx: Tx): Promise<boolean> => hasAdminSession(tx, key),

    /** Whether a proof is recent enough for a change. */
    isFresh: (provedAt: number): boolean => isWithin(PROOF_AGE, provedAt, clock.now()),

    end: (id: string) => endAdminSession(db, digest(id)),

    /** Without `keptKey`, all of them end. */
    endAllOf: (userId: number, tx: Tx, keptKey = '') => endAdminSessionsOfUser(tx, userId, keptKey),
  }
}
