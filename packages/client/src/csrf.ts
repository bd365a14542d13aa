/** Sends a request with further headers; may be called again, to try once more. */
export type Attempt = (headers: Record<string, string>) => Promise<Response>

export type Csrf = ReturnType<typeof createCsrf>

/**
 * Adds the CSRF token to what changes something. Pages of the service's own origin read it from its
 * cookie. Others learn from a refusal that one is needed, ask for it, and try once more.
 */
export function createCsrf(url: string, ask: () => Promise<string>) {
  let told: string | undefined
  let asking: Promise<string> | undefined

  /** All who need one at the same time share one: a second would take the place of the first. */
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }

  return {
    /** With a login or its end, another token is good. */
    forget(): void {
      told = undefined
    },

    async guard(method: string, headers: Record<string, string>, attempt: Attempt) {
      const withToken = (token: string | undefined) =>
        attempt(token ? { ...headers, 'X-CSRFToken': token } : headers)
      if (/^(GET|HEAD|OPTIONS)$/i.test(method)) return attempt(headers)
      const used = told ?? readCookie(url)
      const response = await withToken(used)
      if (response.status !== 403 || !(await isAboutToken(response))) return response
      // Meanwhile another call may have asked.
      if (!told || told === used) told = await askOnce()
      return withToken(told)
    },
  }
}

/** Not a foreign origin, which another token would not help. */
const isAboutToken = async (response: Response): Promise<boolean> =>
  /CSRF (cookie|token)/.test(await response.clone().text())

/** The cookie of another origin may have the same name, and is not the one that is meant. */
function readCookie(url: string): string | undefined {
  if (!('document' in globalThis)) return undefined
  if (new URL(url, document.baseURI).origin !== location.origin) return undefined
  return /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1]
}
