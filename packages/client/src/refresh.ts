import { AuthError } from './auth-error.ts'
import { credentialsOf, type Mode, usesCookies } from './credentials.ts'
import type { Credentials, Keep, Login } from './keep-login.ts'
import type { Lock } from './lock.ts'

/** Makes a login good again that a request was refused with. Null: there is none any more. */
export type Refresh = (used: Login | null) => Promise<Login | null>

type Needs = {
  mode: Mode
  keep: Pick<Keep<unknown>, 'read' | 'begin' | 'renew' | 'end'>
  lock: Lock
  /** `POST token/refresh/`; without a token, the one in the cookie is meant. */
  ask: (refresh: string | undefined) => Promise<Credentials>
}

/**
 * Refreshes once, however many calls and tabs want it. A refresh token that is used twice counts as
 * stolen, so the newest one is read when it is our turn.
 */
export function createRefresh({ mode, keep, lock, ask }: Needs): Refresh {
  let pending: Promise<Login | null> | undefined

  async function refresh(used: Login | null): Promise<Login | null> {
    const kept = await keep.read()
    // Another call or another tab was here before us.
    if (JSON.stringify(kept) !== JSON.stringify(used)) return kept
    try {
      if (!kept?.refresh && !usesCookies(mode)) throw new AuthError({ status: 401 })
      const credentials = credentialsOf(mode, await ask(kept?.refresh))
      return await (kept ? keep.renew(kept, credentials) : keep.begin(credentials))
    } catch (error) {
      // Whoever is offline, or too early, is still signed in.
      if (!(error instanceof AuthError) || error.status !== 401) throw error
      await keep.end(kept, 'refused')
      return null
    }
  }

  return (used) => {
    pending ??= lock(() => refresh(used)).finally(() => {
      pending = undefined
    })
    return pending
  }
}
