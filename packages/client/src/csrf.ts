import { oneAtATime } from './one-at-a-time.ts'

/** Sends the request with these headers added. It may be called a second time. */
export type Attempt = (headers: Record<string, string>) => Promise<Response>

export type Csrf = ReturnType<typeof createCsrf>

/**
 * Adds the CSRF token to requests that change something. On the service's own origin it is read from
 * its cookie. On other origins the cookie is not readable: if the service refuses a request for want
 * of a token, the token is asked for, and the request is sent again.
 */
export function createCsrf(url: string, cookie: string, ask: () => Promise<string>) {
  let told: string | undefined
  /** A second token would replace the first in the cookie. */
  const askOnce = oneAtATime(ask)

  return {
    /** The token changes with a login and a logout. */
    forget(): void {
      told = undefined
    },

    async guard(method: string, headers: Record<string, string>, attempt: Attempt) {
      const withToken = (token: string | undefined) =>
        attempt({ ...headers, ...(token && { 'X-CSRFToken': token }) })
      if (/^(GET|HEAD|OPTIONS)$/i.test(method)) return attempt(headers)
      const used = told ?? readCookie(url, cookie)
      const response = await withToken(used)
      if (response.status !== 403 || !(await isAboutToken(response))) return response
      // Another call may have asked in the meantime.
      if (!told || told === used) told = await askOnce()
      return withToken(told)
    },
  }
}

/**
 * A refused origin is a 403, too, but another token would not help. Without codes only the name CSRF
 * is the same in every language; a wrong guess costs a request.
 */
async function isAboutToken(response: Response): Promise<boolean> {
  const text = await response.clone().text()
  return /csrf/i.test(text) && !/origin/i.test(text)
}

/** On another origin, a cookie of this name belongs to another application. */
function readCookie(url: string, name: string): string | undefined {
  if (!('document' in globalThis)) return undefined
  if (new URL(url, document.baseURI).origin !== location.origin) return undefined
  const cookies = document.cookie.split('; ').map((one) => one.split('='))
  return cookies.find(([found]) => found === name)?.[1]
}
