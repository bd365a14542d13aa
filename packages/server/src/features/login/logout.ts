import { type Identity, pkOf } from '../../core/identity.ts'
import { problem } from '../../kernel/problems.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'

export type Logout = ReturnType<typeof createLogout>

/** What came with the request besides the credential that identifies the user. */
export type Carried = {
  /** The refresh token in the body. */
  refresh: string | undefined
  refreshCookie: string | undefined
  sessionId: string | undefined
}

/** Ends every credential in the request that belongs to the user, and nothing of another user. */
export function createLogout({ tokens, sessions, refreshTokens, settings }: UpToPasskeys) {
  const { USE_JWT, SESSION_LOGIN } = settings.REST_AUTH

  return async (identity: Identity | null, carried: Carried): Promise<void> => {
    if (!identity && !USE_JWT && !SESSION_LOGIN) throw problem('not_logged_in')

    const { refreshCookie: kept, sessionId } = carried
    const given = USE_JWT ? carried.refresh : undefined
    const fault = given ? await refreshTokens.end(given) : null
    if (kept && !given)
      await refreshTokens.endKept(kept, identity ? pkOf(identity.user) : undefined)
    if (identity?.via === 'jwt' && identity.loginId !== null) {
      await refreshTokens.endLogin(identity.loginId)
    }
    if (sessionId) await endSession(sessionId, identity)
    if (identity) await tokens.revoke(identity.user.id)
    // Thrown last: a bad refresh token must not keep the other credentials alive.
    if (fault) throw problem(fault)
  }

  /** A session of another user that came along with a token is left alone. */
  async function endSession(sessionId: string, identity: Identity | null): Promise<void> {
    const owner = await sessions.identify(sessionId)
    if (owner?.user.id === identity?.user.id) await sessions.end(sessionId)
  }
}
