import { AuthError, isLoginRefused } from './auth-error.ts'
import { credentialsOf, type Mode } from './credentials.ts'
import type { CallOptions } from './in-time.ts'
import type { Credentials, Keep, Login } from './keep-login.ts'
import type { Lock } from './lock.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** Refreshes the login that a request was sent with. Null means that it has ended. */
export type Refresh = (used: Login | null) => Promise<Login | null>

type Needs<User> = {
  mode: Mode
  cookies: boolean
  rotatesCookie: boolean
  keep: Pick<Keep<User>, 'read' | 'begin' | 'renew' | 'end'>
  lock: Lock
  /** `POST token/refresh/`. Without a token, the service reads the cookie. */
  ask: (refresh: string | undefined, options: CallOptions | undefined) => Promise<Credentials>
}

/**
 * Refreshes once for all calls and all tabs that wait for it. The token is read when the lock is held:
 * the service treats a token that is used twice as stolen, and ends the login.
 */
export function createRefresh<User>({
  mode,
  cookies,
  rotatesCookie,
  keep,
  lock,
  ask,
}: Needs<User>) {
  /** For a caller that holds the lock, and has read the login under it. A refusal is thrown. */
  async function renew(kept: Login | null, options?: CallOptions): Promise<Login | null> {
    if (!kept?.refresh && !cookies) throw new AuthError({ status: 401 })
    const credentials = {
      // A stored token is spent then, and its successor is in the cookie.
      ...(rotatesCookie && { refresh: undefined }),
      ...credentialsOf(mode, await ask(kept?.refresh, options)),
    }
    return kept ? keep.renew(kept, credentials) : keep.begin(credentials)
  }

  async function refresh(used: Login | null): Promise<Login | null> {
    const kept = await keep.read()
    // Another call or another tab has already refreshed.
    if (credentialIn(kept) !== credentialIn(used)) return kept
    try {
      return await renew(kept)
    } catch (error) {
      // A network failure, a limit or an outage does not end the login.
      if (!isLoginRefused(error)) throw error
      await keep.end(kept, 'refused')
      return null
    }
  }

  return { renew, refresh: oneAtATime((used: Login | null) => lock(() => refresh(used))) }
}

/** The user may have been named in the meantime. That is no refresh. */
const credentialIn = (login: Login | null): string => JSON.stringify({ ...login, pk: undefined })
