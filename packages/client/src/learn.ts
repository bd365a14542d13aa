import { credentialsOf, type Mode } from './credentials.ts'
import type { Csrf } from './csrf.ts'
import { signsIn } from './endpoints.ts'
import type { Credentials, Keep, Login } from './keep-login.ts'

type Needs<User> = { mode: Mode; keep: Keep<User>; csrf: Csrf }

type Answer = { mfa_required?: true; detail?: string } & Credentials

/** Updates the login with the content of an answer. */
export function createLearn<User>({ mode, keep, csrf }: Needs<User>) {
  return async (
    path: string,
    answer: unknown,
    login: Login | null,
    logouts: number,
  ): Promise<void> => {
    const { mfa_required, detail, key, user } = Object(answer) as Answer & { user?: User }
    if (signsIn(path)) {
      if (mfa_required || detail) return
      csrf.forget()
      await keep.begin(credentialsOf(mode, Object(answer)), user)
    } else if (path === 'user/') {
      await keep.know(login, answer as User, logouts)
    } else if (path === 'account/delete/') {
      await keep.end(login, 'logout')
    } else if (key && login && path !== 'tokens/') {
      // All other logins were ended, and this one has a new key. A key for a program is no login.
      await keep.renew(login, { key })
    }
  }
}
