import type { UpToPasskeys } from '../passkeys/feature.ts'
import type { Credentials, Door } from './gate.ts'

/** The door to the public API. The settings decide what a login gives. */
export function createPublicDoor({
  tokens,
  sessions,
  pairs,
  refreshTokens,
  mfa,
  settings,
}: UpToPasskeys): Door<Credentials, Parameters<typeof pairs.start>[2]> {
  const { TOKEN_MODEL, USE_JWT, SESSION_LOGIN } = settings.REST_AUTH

  return {
    admits: () => true,
    challenges: mfa.challenges,
    prepare: async (user) => (USE_JWT ? pairs.hostClaims?.(user) : undefined),

    async open(user, { method, visitor }, tx) {
      if (visitor.sessionId) await sessions.end(visitor.sessionId, tx)
      if (visitor.refreshToken) await refreshTokens.endReplaced(visitor.refreshToken, tx)
      const how = { method, device: visitor.device }
      const session = SESSION_LOGIN ? await sessions.start(user.id, how, tx) : null
      const token = TOKEN_MODEL && !USE_JWT ? await tokens.keyOf(user.id, tx) : null
      const startBare = () => sessions.startBare(user.id, how, tx)
      const loginId = session?.loginId ?? (USE_JWT ? await startBare() : null)
      return (claims) => {
        const jwt = USE_JWT && loginId !== null ? pairs.start(user, loginId, claims) : null
        return { user, token, session, jwt }
      }
    },
  }
}
