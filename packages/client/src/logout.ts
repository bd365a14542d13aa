import type { AuthError } from './auth-error.ts'
import type { Authorize } from './authorize.ts'
import { type Mode, usesCookies } from './credentials.ts'
import type { Attempt, Csrf } from './csrf.ts'
import type { CallOptions } from './in-time.ts'
import type { Keep } from './keep-login.ts'
import type { Lock } from './lock.ts'
import type { Service } from './service.ts'

type Needs = {
  mode: Mode
  keep: Pick<Keep<unknown>, 'read' | 'end'>
  lock: Lock
  csrf: Csrf
  authorize: Authorize
  service: Service
}

/** Logs out here and at the service. If it cannot be told, the login stays: it is still good. */
export function createLogout({ mode, keep, lock, csrf, authorize, service }: Needs) {
  const tell = async (options: CallOptions | undefined) => {
    const login = await keep.read()
    // An access token may have expired, and then stands in the way; the refresh token is enough.
    const { refresh } = login ?? {}
    const send = (attempt: Attempt) =>
      authorize.sendAs(mode === 'token' ? login : null, 'POST', attempt)
    if (login || usesCookies(mode)) {
      await service('POST', 'logout/', { refresh }, send, options).catch((error: AuthError) => {
        // Whoever is refused is logged out already.
        if (error.status !== 401) throw error
      })
    }
    csrf.forget()
    await keep.end(login, 'logout')
  }

  /** Not during a refresh, whose new token would be left over. */
  return (options?: CallOptions): Promise<void> => lock(() => tell(options))
}
