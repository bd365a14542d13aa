import type { Identity } from '../../core/identity.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { Problem, problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import { transaction } from '../../storage/transaction.ts'
import { accountOf } from '../limits/limits.ts'
import type { UpToLogin } from '../login/feature.ts'
import type { PasskeyLogin } from '../passkeys/passkey-login.ts'

export type Reauthenticate = ReturnType<typeof createReauthenticate>

/** What a signed-in user sends to prove again who they are. */
export type Proof =
  | { password: string }
  | { code: string }
  | { credential: unknown; sessionId: string }

type Proved = { by: string; stillTheirs?: PasskeyLogin['stillTheirs'] }

/** Makes the credential of the request fresh, for a right password, code or passkey. */
export function createReauthenticate(house: UpToLogin) {
  const { ownPassword, mfa, passkeys, failedLogins, audit, metrics } = house
  const { db, users, sessions, adminSessions, tokens } = house

  return async (identity: Identity, given: Proof, turn: Turn): Promise<void> => {
    const { user, loginId, tokenDigest, adminSession } = identity
    // A stolen password of an operator must change nothing.
    if (adminSession !== undefined && 'password' in given) throw problem('admin_proof_needed')
    // A token of another service has no login here that could become fresh. The proof is not even
    // checked, so that such a token cannot be used for guessing.
    if (loginId === null && tokenDigest === undefined && adminSession === undefined)
      throw problem('reauthentication_required')

    const { by, stillTheirs } = await prove(identity, given, turn).catch(countRefusal)
    await transaction(db, async (tx) => {
      // Refuses a password that was replaced while it was checked, and a passkey that was removed.
      await users.stillSignedIn(identity, tx)
      if ((await stillTheirs?.(tx)) === false) throw problem('authentication_not_verified')
      // The login or the token was ended in the meantime.
      if (!(await makeFresh(identity, tx))) throw problem('not_authenticated')
      await audit.record({ userId: user.id, event: 'reauthenticated', details: { by } }, tx)
    })
    metrics.countReauthentication('success')
  }

  function makeFresh(identity: Identity, tx: Tx): Promise<boolean> {
    const { loginId, tokenDigest, adminSession } = identity
    if (adminSession !== undefined) return adminSessions.makeFresh(adminSession, tx)
    return loginId === null
      ? tokens.makeFresh(tokenDigest ?? '', tx)
      : sessions.makeFresh(loginId, tx)
  }

  async function prove(identity: Identity, given: Proof, turn: Turn): Promise<Proved> {
    const { user, adminSession } = identity
    if ('password' in given) {
      if (await ownPassword.isRight(user, given.password, turn)) return { by: 'password' }
      throw problem('password_invalid')
    }
    if ('code' in given) {
      const { code } = given
      const asked = { code, address: turn.client, purpose: 'reauthenticate' } as const
      return { by: await mfa.prove(identity, asked) }
    }
    const { credential, sessionId } = given
    const proved = await passkeys.completeLogin(credential, sessionId)
    // Another user's passkey is refused like an unknown one.
    const isEnough = proved.isStrong || adminSession === undefined
    if (proved.user.id !== user.id || !isEnough) throw problem('authentication_not_verified')
    await failedLogins.refuseIfTooMany({ account: accountOf(user), address: turn.client })
    return { by: 'passkey', stillTheirs: proved.stillTheirs }
  }

  function countRefusal(error: unknown): never {
    if (error instanceof Problem && error.status < 500) metrics.countReauthentication('failure')
    throw error
  }
}
