import { type Identity, NEVER_HERE } from '../../core/identity.ts'
import { createLastUses } from '../../core/last-uses.ts'
import { digest } from '../../crypto/digests.ts'
import type { Pk } from '../../kernel/ids.ts'
import type { Handle, Tx } from '../../storage/handle.ts'
import { deleteRowsOfUser } from '../../storage/rows-of-user.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToEvents } from '../events/feature.ts'
import { createImpersonations } from './impersonations.ts'
import {
  addLogins,
  changeLogin,
  endLogin,
  endLoginBySession,
  endLoginOfUser,
  endLoginStartedBy,
  endLoginsByDigest,
  endOtherLoginsOfUser,
  endSurplusLogins,
  extendLogin,
  findByKey,
  findBySession,
  findUserWithLogin,
  findUuidUserWithLogin,
  hasLogin,
  keepLoginUntil,
  LOGINS_KEPT,
  listLoginsOfUser,
  noteUses,
} from './logins-queries.ts'
import { createStartLogins, ELSEWHERE } from './start-logins.ts'

export type Sessions = ReturnType<typeof createSessions>

export type OpenedElsewhere = { userId: number; sessionKey: string; expiresAt: number }

/** An id that no login has: ids start at 1. */
const NO_LOGIN = 0

type FoundLogin = NonNullable<Awaited<ReturnType<typeof findBySession>>>

/** Logins and their sessions. Every session and every JWT family belongs to a login. */
export function createSessions(house: UpToEvents) {
  const { db, clock, log, settings, requiredFactor } = house
  const { SESSION_COOKIE_AGE: sessionAge, TOKEN_LIFETIME: keyAge } = settings
  const lastUses = createLastUses({ db, clock, log, noteUses })

  const impersonations = createImpersonations(house)

  const findByPk = (pk: Pk, loginId: number) =>
    typeof pk === 'number'
      ? findUserWithLogin(db, requiredFactor, pk, loginId)
      : findUuidUserWithLogin(db, requiredFactor, pk, loginId)

  return {
    /** Returns null for an unknown, ended or expired session, and for an inactive user. */
    identify: (sessionId: string): Promise<Identity | null> =>
      findBySession(db, requiredFactor, digest(sessionId)).then((found) =>
        found?.is_active ? identityOf(found, 'session', sessionAge) : null,
      ),

    /** Returns null for a key that belongs to no login, or has expired. */
    identifyByKey: (keyDigest: string): Promise<Identity | null> =>
      findByKey(db, requiredFactor, keyDigest).then((found) =>
        found ? identityOf(found, 'token', keyAge) : null,
      ),

    ...createStartLogins({ clock, settings }),

    impersonations,

    /** Undefined if the credential belongs to no login. */
    stillValid: ({ loginId }: Identity, tx: Tx): Promise<boolean> | undefined =>
      loginId === null ? undefined : hasLogin(tx, loginId),

    /** The user has proved again who they are. Returns false if the login has ended. */
    makeFresh: (loginId: number, tx: Tx): Promise<boolean> =>
      changeLogin(tx, loginId, { authenticated_at: clock.now() }),

    /** A user, and one of their logins unless it has ended. This counts as a use of the login. */
    async findUserWithLogin(pk: Pk, loginId: number | null) {
      const user = await findByPk(pk, loginId ?? NO_LOGIN)
      if (!user) return null
      const { login_id: id } = user
      if (id === null) return { user, login: null }
      lastUses.note(id, user.login_last_used_at ?? 0)
      const login = {
        id,
        startedAt: user.login_created_at ?? 0,
        // When it is swept. No check depends on it.
        expiresAt: user.login_expires_at ?? 0,
        authenticatedAt: user.login_authenticated_at ?? NEVER_HERE,
        hasTwoFactors: user.login_verified_passkey === 1,
        impersonation: null,
      }
      if (user.login_method !== 'impersonation') return { user, login }
      const impersonation = await impersonations.ongoing(id, user)
      return { user, login: impersonation && { ...login, impersonation } }
    },

    /** The newest logins of the user that have not expired. */
    async listOf(userId: number, most = LOGINS_KEPT) {
      await lastUses.flush()
      return listLoginsOfUser(db, userId, clock.now(), most)
    },

    /** Writes when logins were last used. */
    worker: lastUses.worker,

    /** Adds sessions of another service, so that their cookies stay valid. */
    async adoptOpened(opened: readonly OpenedElsewhere[], tx: Tx): Promise<void> {
      if (opened.length === 0) return
      const rows = opened.map(({ userId, sessionKey, expiresAt }) => ({
        ...ELSEWHERE,
        user_id: userId,
        session_digest: digest(sessionKey),
        last_used_at: clock.now(),
        ...endingAt(expiresAt),
      }))
      await addLogins(tx, rows)
      for (const userId of new Set(opened.map((one) => one.userId))) {
        await endSurplusLogins(tx, userId, clock.now())
      }
    },

    /** Extends a session as the other service did. One that has ended here stays ended. */
    extendOpened: (sessionDigest: string, expiresAt: number, tx: Tx): Promise<void> =>
      extendLogin(tx, sessionDigest, endingAt(expiresAt)),

    async endByDigest(digests: readonly string[], tx: Tx): Promise<void> {
      if (digests.length > 0) await endLoginsByDigest(tx, digests)
    },

    /** Returns false if the login has ended. */
    keepUntil: (loginId: number, time: number): Promise<boolean> =>
      keepLoginUntil(db, loginId, time),

    end: (sessionId: string, within: Handle = db) => endLoginBySession(within, digest(sessionId)),

    /** Returns whether there was such a login. */
    endLogin: (loginId: number): Promise<boolean> => endLogin(db, loginId),

    /** Ends the login, unless it began after the given time. */
    endStartedBy: (loginId: number, time: number, tx: Tx): Promise<void> =>
      endLoginStartedBy(tx, loginId, time),

    /** Returns whether the user had such a login. */
    endOneOf: (userId: number, loginId: number, tx: Tx): Promise<boolean> =>
      endLoginOfUser(tx, userId, loginId, clock.now()),

    async endAllOf(userId: number, tx: Tx): Promise<void> {
      await impersonations.endAllOf(userId, tx)
      await deleteRowsOfUser(tx, 'logins', userId)
    },

    /** If `keptId` is null, all of them end. */
    async endOthersOf(userId: number, keptId: number | null, tx: Tx): Promise<void> {
      await impersonations.endAllOf(userId, tx)
      await endOtherLoginsOfUser(tx, userId, keptId ?? NO_LOGIN)
    },
  }

  /**
   * Returns null if the credential has expired. Otherwise this counts as a use of the login. Nearly
   * every request needs no further lookup, and gets no promise.
   */
  function identityOf(
    found: FoundLogin,
    via: Identity['via'],
    ageMax: number | null,
  ): Identity | null | Promise<Identity | null> {
    const { login_id: loginId, login_authenticated_at: authenticatedAt } = found
    const expiresAt = ageMax === null ? null : found.login_created_at + ageMax
    if (expiresAt !== null && expiresAt <= clock.now()) return null
    lastUses.note(loginId, found.login_last_used_at)
    const identity: Identity = { user: found, via, loginId, authenticatedAt, expiresAt }
    if (found.login_method === 'impersonation') return impersonating(identity, loginId, found)
    // A login with a verified passkey has shown two factors, even if the user has no app.
    if (found.login_verified_passkey === 1) return { ...identity, hasTwoFactors: true }
    return requiredFactor.restricted(identity)
  }

  async function impersonating(identity: Identity, loginId: number, user: User) {
    const ongoing = await impersonations.ongoing(loginId, user)
    return ongoing && { ...identity, ...ongoing }
  }

  /** Sets the start so that the session ends when it would have ended there. */
  function endingAt(expiresAt: number) {
    return { created_at: expiresAt - sessionAge, expires_at: expiresAt }
  }
}
