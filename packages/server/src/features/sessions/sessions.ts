import { digest } from '../../crypto/digest.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Settings } from '../../settings.ts'
import type { Identity } from '../users/identity.ts'
import type { LoginsStore } from './logins-store.ts'

export type Sessions = ReturnType<typeof createSessions>

/** What the client keeps of a session; the service keeps only its digest. */
export type NewSession = { id: string; loginId: number }

const SESSION_BYTES = 24

export function createSessions(store: LoginsStore, clock: Clock, settings: Settings) {
  const { SESSION_COOKIE_AGE: sessionAge } = settings
  const loginAge = longestAge(settings)

  const addLogin = (
    userId: number,
    method: string,
    session_digest: string | null,
    within: LoginsStore,
  ) => {
    const now = clock.now()
    const times = { created_at: now, expires_at: now + loginAge }
    return within.add({ user_id: userId, method, session_digest, ...times })
  }

  return {
    /** An unknown, ended or expired session, or one of an inactive user, is no credential. */
    async identify(sessionId: string): Promise<Identity | null> {
      const found = await store.findBySession(digest(sessionId))
      if (!found?.is_active) return null
      const { login_id, login_created_at, ...user } = found
      if (login_created_at + sessionAge <= clock.now()) return null
      return { user, via: 'session', loginId: login_id }
    },

    async start(userId: number, method: string, within: LoginsStore = store): Promise<NewSession> {
      const id = randomToken(SESSION_BYTES)
      const login = await addLogin(userId, method, digest(id), within)
      return { id, loginId: login.id }
    },

    /** A new id for the same login; the old one is void. */
    async rotate(loginId: number, within: LoginsStore = store): Promise<NewSession> {
      const id = randomToken(SESSION_BYTES)
      await within.replaceSession(loginId, digest(id))
      return { id, loginId }
    },

    /** A login without a session cookie, and its id. */
    async startBare(userId: number, method: string, within: LoginsStore = store): Promise<number> {
      const login = await addLogin(userId, method, null, within)
      return login.id
    },

    end: (sessionId: string, within: LoginsStore = store) => within.endBySession(digest(sessionId)),
  }
}

/** A login is kept for as long as anything that belongs to it may be good. */
function longestAge({ SESSION_COOKIE_AGE, REST_AUTH, SIMPLE_JWT }: Settings): number {
  const { ACCESS_TOKEN_LIFETIME, REFRESH_TOKEN_LIFETIME } = SIMPLE_JWT
  return Math.max(
    REST_AUTH.SESSION_LOGIN ? SESSION_COOKIE_AGE : 0,
    REST_AUTH.USE_JWT ? REFRESH_TOKEN_LIFETIME + ACCESS_TOKEN_LIFETIME : 0,
  )
}
