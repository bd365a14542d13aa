import type { Identity } from '../../core/identity.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { Problem, problem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import { accountOf } from '../limits/limits.ts'
import type { UpToLogin } from '../login/feature.ts'

export type Reauthenticate = ReturnType<typeof createReauthenticate>

/** What a signed-in user sends to prove again who they are. */
export type Proof =
  | { password: string }
  | { code: string }
  | { credential: unknown; sessionId: string }

/** Makes the credential of the request fresh, for a right password, code or passkey. */
export function createReauthenticate(house: UpToLogin) {
  const { ownPassword, mfa, passkeys, failedLogins, sessions, tokens, audit, metrics } = house

  return async (identity: Identity, given: Proof, turn: Turn): Promise<void> => {
    const { user, loginId, tokenDigest } = identity
    // A token of another service has no login here that could become fresh. The proof is not even
    // checked, so that such a token cannot be used for guessing.
    if (loginId === null && tokenDigest === undefined) throw problem('reauthentication_required')

    const by = await prove(user, given, turn).catch(countRefusal)
    const isFresh =
      loginId === null
        ? await tokens.makeFresh(tokenDigest ?? '')
        : await sessions.makeFresh(loginId)
    // The login or the token was ended in the meantime.
    if (!isFresh) throw problem('not_authenticated')
    await audit.record({ userId: user.id, event: 'reauthenticated', details: { by } })
    metrics.countReauthentication('success')
  }

  async function prove(user: User, given: Proof, turn: Turn): Promise<string> {
    if ('password' in given) {
      if (await ownPassword.isRight(user, given.password, turn)) return 'password'
      throw problem('password_invalid')
    }
    if ('code' in given) {
      const { code } = given
      return mfa.prove(user, { code, address: turn.client, purpose: 'reauthenticate' })
    }
    const { user: owner } = await passkeys.completeLogin(given.credential, given.sessionId)
    // Another user's passkey is refused like an unknown one.
    if (owner.id !== user.id) throw problem('authentication_not_verified')
    await failedLogins.refuseIfTooMany({ account: accountOf(user), address: turn.client })
    return 'passkey'
  }

  function countRefusal(error: unknown): never {
    if (error instanceof Problem && error.status < 500) metrics.countReauthentication('failure')
    throw error
  }
}
