import { digest } from '../../crypto/digest.ts'
import type { Clock } from '../../kernel/clock.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Identity } from '../users/identity.ts'
import type { LoginsStore } from './logins-store.ts'

export type Sessions = ReturnType<typeof createSessions>

/** What the client keeps of a session; the service keeps only its digest. */
export type NewSession = { id: string; loginId: number }

const SESSION_BYTES = 24

export function createSessions(store: LoginsStore, clock: Clock, lifetimeMs: number) {
  return {
    /** An unknown, ended or expired session, or one of an inactive user, is no credential. */
    async identify(sessionId: string): Promise<Identity | null> {
      const found = await store.findBySession(digest(sessionId))
      if (!found || found.expires_at <= clock.now() || !found.is_active) return null
      const { login_id, expires_at: _, ...user } = found
      return { user, via: 'session', loginId: login_id }
    },

    async start(userId: number, method: string, within: LoginsStore = store): Promise<NewSession> {
      const id = randomToken(SESSION_BYTES)
      const now = clock.now()
      const login = await within.add({
        user_id: userId,
        method,
        session_digest: digest(id),
        created_at: now,
        expires_at: now + lifetimeMs,
      })
      return { id, loginId: login.id }
    },

    /** A new id for the same login; the old one is void. */
    async rotate(loginId: number, within: LoginsStore = store): Promise<NewSession> {
      const id = randomToken(SESSION_BYTES)
      await within.replaceSession(loginId, digest(id))
      return { id, loginId }
    },

    end: (sessionId: string, within: LoginsStore = store) => within.endBySession(digest(sessionId)),
  }
}
