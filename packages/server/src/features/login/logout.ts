import type { Identity } from '../../core/identity.ts'
import { problem } from '../../kernel/problems.ts'
import type { Settings } from '../../settings/settings.ts'
import type { RefreshTokens } from '../jwt/refresh-tokens.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Tokens } from '../tokens/tokens.ts'

export type Logout = ReturnType<typeof createLogout>

/** What came with the request besides the credential that says who is asking. */
export type Carried = {
  /** From the body. */
  refresh: string | undefined
  refreshCookie: string | undefined
  sessionId: string | undefined
}

type Needs = {
  tokens: Tokens
  sessions: Sessions
  refreshTokens: RefreshTokens
  settings: Pick<Settings, 'REST_AUTH'>
}

/** Ends whatever the request shows, and nothing that is somebody else's. */
export function createLogout({ tokens, sessions, refreshTokens, settings }: Needs) {
  const { USE_JWT, SESSION_LOGIN } = settings.REST_AUTH

  return async (identity: Identity | null, carried: Carried): Promise<void> => {
    if (!identity && !USE_JWT && !SESSION_LOGIN) throw problem('not_logged_in')

    const { refreshCookie: kept, sessionId } = carried
    const given = USE_JWT ? carried.refresh : undefined
    const fault = given ? await refreshTokens.end(given) : null
    if (kept && !given) await refreshTokens.endKept(kept, identity?.user.id)
    if (identity?.via === 'jwt' && identity.loginId !== null) {
      await refreshTokens.endLogin(identity.loginId)
    }
    if (sessionId) await endSession(sessionId, identity)
    if (identity) await tokens.revoke(identity.user.id)
    // Only now: a bad token keeps nobody logged in by other means.
    if (fault) throw problem(fault)
  }

  /** A session of somebody else that came along with a token is not theirs to end. */
  async function endSession(sessionId: string, identity: Identity | null): Promise<void> {
    const owner = await sessions.identify(sessionId)
    if (owner?.user.id === identity?.user.id) await sessions.end(sessionId)
  }
}
