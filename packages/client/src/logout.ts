import { isLoginRefused } from './auth-error.ts'
import type { Authorize } from './authorize.ts'
import type { Attempt, Csrf } from './csrf.ts'
import type { CallOptions } from './in-time.ts'
import type { Keep, Login } from './keep-login.ts'
import type { Lock } from './lock.ts'
import type { Service } from './service.ts'

type Needs = {
  cookies: boolean
  keep: Pick<Keep<unknown>, 'read' | 'end'>
  lock: Lock
  /** Refreshes the login, while the lock is held. */
  renew: (login: Login | null, options?: CallOptions) => Promise<Login | null>
  csrf: Csrf
  authorize: Authorize
  service: Service
}

/** Logs out here and at the service. If the service cannot be reached, the login stays. */
export function createLogout({ cookies, keep, lock, renew, csrf, authorize, service }: Needs) {
  const tell = async (options: CallOptions | undefined) => {
    let login = await keep.read()
    /** A login that the service refuses has already ended. */
    const unlessRefused = (error: unknown) => {
      if (!isLoginRefused(error)) throw error
      return login
    }
    // A stored refresh token is enough. One in a cookie may not be sent here, because of its path, so
    // the access token says what to end. If it has expired, it would be refused.
    if (!login?.refresh) login = await authorize.fresh(login, renew, options).catch(unlessRefused)
    const send = (attempt: Attempt) =>
      authorize.sendAs(login?.refresh ? null : login, 'POST', attempt)
    if (login || cookies) {
      await service('POST', 'logout/', { refresh: login?.refresh }, send, options).catch(
        unlessRefused,
      )
    }
    csrf.forget()
    await keep.end(login, 'logout')
  }

  /** Waits for a refresh: otherwise its new token would not be ended. */
  return (options?: CallOptions): Promise<void> => lock(() => tell(options))
}
