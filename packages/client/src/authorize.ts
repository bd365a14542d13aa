import { authorizationOf, type Mode, usesCookies, usesJwt } from './credentials.ts'
import type { Attempt, Csrf } from './csrf.ts'
import type { Keep, Login } from './keep-login.ts'
import type { Refresh } from './refresh.ts'

export type Authorize = ReturnType<typeof createAuthorize>

type Needs = {
  mode: Mode
  keep: Pick<Keep<unknown>, 'read'>
  refresh: Refresh
  csrf: Csrf
}

/** An answer, and the login that it was sent with. */
type Sent = { response: Response; login: Login | null }

/** Sends requests with the credential of the user who is signed in. */
export function createAuthorize({ mode, keep, refresh, csrf }: Needs) {
  const isStale = (login: Login | null) => (login?.expires ?? Number.POSITIVE_INFINITY) < Date.now()

  /** Sends the request with this login. With cookies, the browser adds the credential itself. */
  function sendAs(login: Login | null, method: string, attempt: Attempt): Promise<Response> {
    const authorization = authorizationOf(login)
    const headers: Record<string, string> = authorization ? { Authorization: authorization } : {}
    return usesCookies(mode) ? csrf.guard(method, headers, attempt) : attempt(headers)
  }

  /** Refreshes a login that is about to expire. */
  const fresh = async (kept: Login | null) => (isStale(kept) ? refresh(kept) : kept)

  return {
    sendAs,
    current: async () => fresh(await keep.read()),

    /** After a 401, refreshes and sends the request once more, if there is something to refresh. */
    async send(method: string, attempt: Attempt): Promise<Sent> {
      const kept = await keep.read()
      const login = await fresh(kept)
      const response = await sendAs(login, method, attempt)
      const mayRefresh = usesJwt(mode) && login === kept
      if (response.status !== 401 || !mayRefresh) return { response, login }
      const next = await refresh(login)
      if (!next) return { response, login: next }
      await response.body?.cancel()
      return { response: await sendAs(next, method, attempt), login: next }
    },
  }
}
