import type { Authorize } from './authorize.ts'

type Needs = {
  fetch: typeof fetch
  authorize: Authorize
  credentials: RequestCredentials
  /** Where the credential may go: nobody else must ever see it. */
  origins: readonly string[]
}

/** `fetch` for the APIs of the deployment, in the name of the user; refreshes and tries again. */
export function createFetch({ fetch, authorize, credentials, origins }: Needs): typeof fetch {
  const isTrusted = (address: string) =>
    /^\/(?![\\/\s])/.test(address) || origins.includes(originOf(address) ?? '')

  return async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const address = request?.url ?? String(input)
    if (!isTrusted(address)) throw new TypeError(`${address} is none of the trusted origins.`)
    const { response } = await authorize.send(
      init?.method ?? request?.method ?? 'GET',
      (added) => {
        const headers = new Headers(init?.headers ?? request?.headers)
        for (const [name, value] of Object.entries(added)) headers.set(name, value)
        // A request can be sent once; there may be a second attempt.
        return fetch(request?.clone() ?? input, { credentials, ...init, headers })
      },
      false,
    )
    return response
  }
}

/** By text, since React Native has half a `URL`; strict, so that no parser sees another host. */
export const originOf = (address: string): string | undefined =>
  /^https?:\/\/[^/?#\\@\s]+(?=[/?#]|$)/i.exec(address)?.[0].toLowerCase()
