import type { HookClaims } from '../../core/hooks.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'
import type { Credentials, Door, Proof } from './gate.ts'

/** The door to the public API. The settings decide what a login gives. */
export function createPublicDoor(house: UpToPasskeys): Door<Credentials, HookClaims | undefined> {
  const { tokens, sessions, pairs, refreshTokens, mfa, settings } = house
  const { requiredFactor, operatorPasskey } = house
  const { TOKEN_MODEL, USE_JWT, SESSION_LOGIN } = settings.REST_AUTH

  return {
    admits: () => true,
    challenges: mfa.challenges,
    prepare: async (user) => (USE_JWT ? pairs.hostClaims?.(user) : undefined),

    async open(user, proof, tx) {
      const { method, visitor } = proof
      if (visitor.sessionId) await sessions.end(visitor.sessionId, tx)
      if (visitor.refreshToken) await refreshTokens.endReplaced(visitor.refreshToken, tx)
      const { isFactorDue, isVerifiedPasskey } = await requirement(user, proof, tx)
      const how = { method, device: visitor.device, isVerifiedPasskey }
      const session = SESSION_LOGIN ? await sessions.start(user.id, how, tx) : null
      const startBare = () => sessions.startBare(user.id, how, tx)
      const needsLogin = USE_JWT || tokens.perLogin
      const loginId = session?.loginId ?? (needsLogin ? await startBare() : null)
      const token = TOKEN_MODEL && !USE_JWT ? await keyOf(user, loginId, tx) : null
      return (claims) => {
        const jwt =
          USE_JWT && loginId !== null
            ? pairs.start(user, { loginId, isFactorDue, added: claims })
            : null
        return { user, token, session, jwt }
      }
    },
  }

  /** Whether this user must set up a second factor, and whether this login has shown two. */
  async function requirement(user: User, { method, isStrong }: Proof, tx: Tx) {
    // A registration is strong if its first credential is a verified passkey.
    const isByPasskey = isStrong && (method === 'passkey' || method === 'registration')
    const isAsked = requiredFactor.asksFactor || (isByPasskey && operatorPasskey.concerns(user))
    if (!isAsked) return { isFactorDue: false, isVerifiedPasskey: false }
    const has_factor = (await mfa.isOn(user.id, tx)) ? 1 : 0
    // With an app, the second factor may have been its code, after a weaker first one.
    const isVerifiedPasskey = isByPasskey && has_factor === 0
    const restriction = await requiredFactor.restrictionOf({ ...user, has_factor }, tx)
    return { isFactorDue: restriction !== undefined && !isVerifiedPasskey, isVerifiedPasskey }
  }

  function keyOf(user: User, loginId: number | null, tx: Tx): Promise<string> {
    const isOwn = tokens.perLogin && loginId !== null
    return isOwn ? sessions.giveKey(loginId, tx) : tokens.keyOf(user.id, tx)
  }
}
