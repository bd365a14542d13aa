import type { Authorize } from './authorize.ts'

type Needs = {
  fetch: typeof fetch
  authorize: Authorize
  /** What every request has, unless the caller says otherwise. */
  usual: RequestInit
  /** The credential is sent to the origins of these addresses, and to that of the page. */
  trusted: readonly string[]
}

/**
 * `fetch` with the user's credential. After a 401 it refreshes and tries again, unless the body is a
 * stream.
 */
export function createFetch({ fetch, authorize, usual, trusted }: Needs): typeof fetch {
  // In a Request or a URL, the browser has completed a path to a whole address.
  const page = globalThis.document?.location?.origin ?? ''
  const origins = new Set([page, ...trusted].flatMap((address) => originOf(address) ?? []))
  const isTrusted = (address: string) =>
    /^\/(?![\\/\s])/.test(address) || origins.has(originOf(address) ?? '')

  return async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const address = request?.url ?? String(input)
    if (!isTrusted(address)) throw new TypeError(`${address} is not at a trusted origin.`)
    const method = init?.method ?? request?.method ?? 'GET'
    const attempt = (added: Record<string, string>) => {
      const headers = new Headers(init?.headers ?? request?.headers)
      for (const [name, value] of Object.entries(added)) headers.set(name, value)
      // A Request can be sent only once, and there may be a second attempt.
      return fetch(request?.clone() ?? input, { ...usual, ...init, headers })
    }
    if (!isStream(init?.body)) return (await authorize.send(method, attempt)).response
    let sent: Promise<Response> | undefined
    return authorize.sendAs(await authorize.current(), method, (added) => {
      sent ??= attempt(added)
      return sent
    })
  }
}

/** It can be read only once, so there is no second attempt. React Native does not know the class. */
const isStream = (body: unknown): boolean =>
  ['getReader', Symbol.asyncIterator].some((name) => name in Object(body))

/**
 * Reads the text, since `URL` is incomplete in React Native. It is strict, so that no parser can see
 * another host in the same text.
 */
const originOf = (address: string): string | undefined =>
  /^https?:\/\/[^/?#\\@\s]+(?=[/?#]|$)/i.exec(address)?.[0].toLowerCase()
