import { type Mode, usesJwt } from './credentials.ts'
import type { Attempt, Csrf } from './csrf.ts'
import type { CallOptions } from './in-time.ts'
import type { Keep, Login } from './keep-login.ts'
import type { Refresh } from './refresh.ts'

export type Authorize = ReturnType<typeof createAuthorize>

type Needs = {
  mode: Mode
  /** Whether the browser sends cookies. */
  cookies: boolean
  authHeaderType: string
  keep: Pick<Keep<unknown>, 'read'>
  refresh: Refresh
  csrf: Csrf
}

type Renew = (login: Login | null, options?: CallOptions) => Promise<Login | null>

/** An answer, and the login that it was sent with. */
type Sent = { response: Response; login: Login | null }

/** Sends requests with the credential of the user who is signed in. */
export function createAuthorize({ mode, cookies, authHeaderType, keep, refresh, csrf }: Needs) {
  /** The value for the `Authorization` header. */
  const authorizationOf = (login: Login | null) =>
    login?.key ? `Token ${login.key}` : login?.access && `${authHeaderType} ${login.access}`

  /** Sends the request with this login. With cookies, the browser adds the credential itself. */
  function sendAs(login: Login | null, method: string, attempt: Attempt): Promise<Response> {
    const authorization = authorizationOf(login)
    const headers = { ...(authorization && { Authorization: authorization }) }
    return cookies ? csrf.guard(method, headers, attempt) : attempt(headers)
  }

  /** Refreshes a login that is about to expire. */
  const fresh = async (kept: Login | null, by: Renew = refresh, options?: CallOptions) =>
    (kept?.expires ?? Number.POSITIVE_INFINITY) < Date.now() ? by(kept, options) : kept

  const current = async () => fresh(await keep.read())

  return {
    fresh,
    sendAs,
    current,
    authorization: async () => authorizationOf(await current()),

    /** After a 401, refreshes and sends the request once more, if there is something to refresh. */
    async send(method: string, attempt: Attempt): Promise<Sent> {
      const kept = await keep.read()
      let login = await fresh(kept)
      let response = await sendAs(login, method, attempt)
      if (response.status === 401 && usesJwt(mode) && login === kept) {
        login = await refresh(login)
        if (login) {
          await response.body?.cancel()
          response = await sendAs(login, method, attempt)
        }
      }
      return { response, login }
    },
  }
}
