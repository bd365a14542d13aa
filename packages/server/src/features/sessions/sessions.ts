import type { Identity } from '../../core/identity.ts'
import { digest } from '../../crypto/digest.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db, Handle, Tx } from '../../storage/handle.ts'
import {
  addLogin,
  endLogin,
  endLoginBySession,
  endLoginsOfUser,
  endOtherLoginsOfUser,
  findBySession,
  findUserWithLogin,
  forgetExpiredLogins,
  keepLoginUntil,
  replaceSession,
} from './logins-queries.ts'

export type Sessions = ReturnType<typeof createSessions>

/** The session for the client. The database stores only a digest of its id. */
export type NewSession = { id: string; loginId: number }

const SESSION_BYTES = 24

/** An id that no login has: ids start at 1. */
const NO_LOGIN = 0

type Slice = Pick<Settings, 'SESSION_COOKIE_AGE' | 'REST_AUTH' | 'SIMPLE_JWT'>

type Needs = { db: Db; clock: Clock; settings: Slice }

/** Logins and their sessions. Every session and every JWT family belongs to a login. */
export function createSessions({ db, clock, settings }: Needs) {
  const { SESSION_COOKIE_AGE: sessionAge } = settings
  const loginAge = longestAge(settings)

  async function add(
    userId: number,
    method: string,
    session_digest: string | null,
    tx: Tx,
  ): Promise<number> {
    const now = clock.now()
    const times = { created_at: now, expires_at: now + loginAge }
    const added = await addLogin(tx, { user_id: userId, method, session_digest, ...times })
    if (!added) throw new Error('A login was not added.')
    return added.id
  }

  return {
    /** Null for an unknown, ended or expired session, and for an inactive user. */
    async identify(sessionId: string): Promise<Identity | null> {
      const found = await findBySession(db, digest(sessionId))
      if (!found?.is_active) return null
      const { login_id, login_created_at, ...user } = found
      if (login_created_at + sessionAge <= clock.now()) return null
      return { user, via: 'session', loginId: login_id }
    },

    async start(userId: number, method: string, tx: Tx): Promise<NewSession> {
      const id = randomToken(SESSION_BYTES)
      return { id, loginId: await add(userId, method, digest(id), tx) }
    },

    /** Gives the login a new session id. The old one is void. */
    async rotate(loginId: number, tx: Tx): Promise<NewSession> {
      const id = randomToken(SESSION_BYTES)
      await replaceSession(tx, loginId, digest(id))
      return { id, loginId }
    },

    /** Starts a login without a session cookie. Returns its id. */
    startBare: (userId: number, method: string, tx: Tx): Promise<number> =>
      add(userId, method, null, tx),

    /** A user, and one of their logins unless it has ended. */
    findUserWithLogin: (userId: number, loginId: number | null) =>
      findUserWithLogin(db, userId, loginId ?? NO_LOGIN),

    /** Returns false if the login has ended. */
    keepUntil: (loginId: number, time: number): Promise<boolean> =>
      keepLoginUntil(db, loginId, time),

    end: (sessionId: string, within: Handle = db) => endLoginBySession(within, digest(sessionId)),

    /** Returns whether there was such a login. */
    endLogin: (loginId: number, within: Handle = db): Promise<boolean> => endLogin(within, loginId),

    endAllOf: (userId: number, tx: Tx) => endLoginsOfUser(tx, userId),

    /** If `keptId` is null, all of them end. */
    endOthersOf: (userId: number, keptId: number | null, tx: Tx) =>
      endOtherLoginsOfUser(tx, userId, keptId ?? NO_LOGIN),

    forgetExpired: (most: number) => forgetExpiredLogins(db, clock.now(), most),
  }
}

/** A login is stored for as long as any credential of it can be valid. */
function longestAge({ SESSION_COOKIE_AGE, REST_AUTH, SIMPLE_JWT }: Slice): number {
  const { ACCESS_TOKEN_LIFETIME, REFRESH_TOKEN_LIFETIME } = SIMPLE_JWT
  return Math.max(
    REST_AUTH.SESSION_LOGIN ? SESSION_COOKIE_AGE : 0,
    REST_AUTH.USE_JWT ? REFRESH_TOKEN_LIFETIME + ACCESS_TOKEN_LIFETIME : 0,
  )
}
