import { isLoginRefused } from './auth-error.ts'
import type { Authorize } from './authorize.ts'
import type { Mode } from './credentials.ts'
import type { Attempt, Csrf } from './csrf.ts'
import type { CallOptions } from './in-time.ts'
import type { Keep } from './keep-login.ts'
import type { Lock } from './lock.ts'
import type { Service } from './service.ts'

type Needs = {
  mode: Mode
  cookies: boolean
  keep: Pick<Keep<unknown>, 'read' | 'end'>
  lock: Lock
  csrf: Csrf
  authorize: Authorize
  service: Service
}

/** Logs out here and at the service. If the service cannot be reached, the login stays. */
export function createLogout({ mode, cookies, keep, lock, csrf, authorize, service }: Needs) {
  const tell = async (options: CallOptions | undefined) => {
    const login = await keep.read()
    // The refresh token is enough. An access token may have expired, and would then be refused.
    const send = (attempt: Attempt) =>
      authorize.sendAs(mode === 'token' ? login : null, 'POST', attempt)
    if (login || cookies) {
      await service('POST', 'logout/', { refresh: login?.refresh }, send, options).catch(
        (error) => {
          // A login that the service refuses has already ended.
          if (!isLoginRefused(error)) throw error
        },
      )
    }
    csrf.forget()
    await keep.end(login, 'logout')
  }

  /** Waits for a refresh: otherwise its new token would not be ended. */
  return (options?: CallOptions): Promise<void> => lock(() => tell(options))
}
