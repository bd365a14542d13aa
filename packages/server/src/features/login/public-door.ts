import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
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
      const startBare = () => sessions.startBare(user.id, how, tx)
      const needsLogin = USE_JWT || tokens.perLogin
      const loginId = session?.loginId ?? (needsLogin ? await startBare() : null)
      const token = TOKEN_MODEL && !USE_JWT ? await keyOf(user, loginId, tx) : null
      return (claims) => {
        const jwt = USE_JWT && loginId !== null ? pairs.start(user, loginId, claims) : null
        return { user, token, session, jwt }
      }
    },
  }

  function keyOf(user: User, loginId: number | null, tx: Tx): Promise<string> {
    const isOwn = tokens.perLogin && loginId !== null
    return isOwn ? sessions.giveKey(loginId, tx) : tokens.keyOf(user.id, tx)
  }
}
