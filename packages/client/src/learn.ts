import { type AnswerNames, withUsualNames } from './answer-names.ts'
import { credentialsOf, type Mode } from './credentials.ts'
import type { Csrf } from './csrf.ts'
import { signsIn } from './endpoints.ts'
import type { Credentials, Keep, Login } from './keep-login.ts'

type Needs<User> = { mode: Mode; keep: Keep<User>; csrf: Csrf; answerNames: AnswerNames }

type Answer<User> = { mfa_required?: true; detail?: string; user?: User } & Credentials

/** Updates the login with the content of an answer. Returns the answer as the caller gets it. */
export function createLearn<User>({ mode, keep, csrf, answerNames }: Needs<User>) {
  return async (
    path: string,
    answer: unknown,
    login: Login | null,
    logouts: number,
  ): Promise<unknown> => {
    const usual: Answer<User> = withUsualNames(answer, answerNames)
    const { key, mfa_required, detail } = usual
    if (signsIn(path)) {
      // A service that answers as dj-rest-auth 6 does makes the account, but signs nobody in.
      const isOnlyMade = path === 'registration/' && mode === 'token' && !answer
      if (mfa_required || detail || isOnlyMade) return usual
      csrf.forget()
      await keep.begin(credentialsOf(mode, usual), usual.user)
      return usual
    }
    if (path === 'sessions/end-others/') {
      // All other logins were ended, and this one has a new key.
      if (key && login) await keep.renew(login, { key })
      return usual
    }
    if (path === 'user/') await keep.know(login, answer as User, logouts)
    if (path === 'account/delete/') await keep.end(login, 'logout')
    return answer
  }
}
