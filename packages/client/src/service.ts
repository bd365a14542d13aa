import type { Attempt } from './csrf.ts'
import { type CallOptions, inTime, overNetwork } from './in-time.ts'
import { type ErrorNames, readAnswer } from './read-answer.ts'

type Needs = ErrorNames & {
  /** It ends with a slash. */
  url: string
  fetch: typeof fetch
  credentials: RequestCredentials
  timeout: number
  /** What every request has besides its credential. */
  usual: () => Record<string, string>
}

/** Adds a credential to a request. It may send the request more than once. */
type Send = (attempt: Attempt) => Promise<Response>

export type Service = ReturnType<typeof createService>

/** Sends a request with a JSON body, and reads the JSON of the answer. */
export function createService({ url, fetch, credentials, timeout, usual, ...names }: Needs) {
  return (
    method: string,
    target: string,
    body: unknown,
    send: Send,
    { keepalive = false, ...options }: CallOptions & { keepalive?: boolean } = {},
  ): Promise<unknown> =>
    inTime({ timeout, ...options }, async (signal) => {
      const attempt: Attempt = (headers) =>
        overNetwork(
          fetch(url + target, {
            method,
            credentials,
            keepalive,
            signal,
            headers: {
              ...usual(),
              ...(body ? { 'Content-Type': 'application/json' } : {}),
              ...headers,
            },
            body: body ? JSON.stringify(body) : null,
          }),
        )
      return readAnswer(await send(attempt), names)
    })
}
