import type { AnswerNames } from './answer-names.ts'
import type { UserDetails } from './contract.ts'
import type { Mode } from './credentials.ts'
import type { endpoints } from './endpoints.ts'
import type { CallOptions } from './in-time.ts'
import type { SignedOutReason, State } from './keep-login.ts'
import type { Methods } from './methods.ts'
import type { Ceremonies } from './passkeys.ts'
import type { ErrorNames } from './read-answer.ts'
import type { LoginStorage } from './storage.ts'

export type ClientOptions = ErrorNames & {
  mode: Mode
  /**
   * In the mode `jwt`: also send cookies, and CSRF tokens with them. It is for a service that has only
   * one of the two JWT cookies, or asks every visitor for a CSRF token.
   */
  cookies?: boolean
  /**
   * With `cookies`: whether a refresh puts the next refresh token into a cookie (`ROTATE_REFRESH_TOKENS`
   * and `JWT_AUTH_REFRESH_COOKIE` of the service). One that came in a body is then used once.
   */
  rotatesCookie?: boolean
  /** The address of the service with its prefix: `https://accounts.example.com/auth/`. */
  url?: string
  /** Where the login is stored. The default is memory, so the login is gone with the page. */
  storage?: LoginStorage
  /** The key in the storage. Clients with the same key share a login. */
  storageKey?: string
  /** The name of the CSRF cookie (`CSRF_COOKIE_NAME` of the service). */
  csrfCookie?: string
  /** The word before an access token (the first of `SIMPLE_JWT.AUTH_HEADER_TYPES` of the service). */
  authHeaderType?: string
  /** The names in login answers (`REST_AUTH.ANSWER_NAMES` of the service): `{ key: 'token' }`. */
  answerNames?: AnswerNames
  /**
   * The language of messages and letters, such as `pt-BR`, or a function that returns it. Browsers
   * send that of their user anyway.
   */
  language?: string | (() => string)
  /**
   * Whether the client asks for codes of errors (default: true). A service other than Latchkey may not
   * allow the header `X-Error-Codes` to pages of another origin.
   */
  errorCodes?: boolean
  /** More origins that `fetch()` may send the credential to. */
  origins?: readonly string[]
  /** A call fails after so many milliseconds. 0 means never. */
  timeout?: number
  fetch?: typeof fetch
}

export type AuthClient<User = UserDetails> = Methods<typeof endpoints, User> & {
  readonly passkeys: Ceremonies<User>
  /** Who is signed in, as far as it is known. */
  readonly state: State<User>
  /** Calls the listener with every new state. Returns a function that removes it. */
  onChange(listener: (state: State<User>) => void): () => void
  /** Calls the listener once when a login ends. Returns a function that removes it. */
  onSignedOut(listener: (reason: SignedOutReason) => void): () => void
  /** Asks the service who is signed in. It never rejects: an error is in the state. */
  restore(): Promise<State<User>>
  /** Logs out here and at the service. */
  logout(options?: CallOptions): Promise<void>
  /** Refreshes the tokens now, for example since the user's claims have changed. */
  refresh(): Promise<void>
  /** The value for an `Authorization` header, refreshed if necessary. */
  authorization(): Promise<string | undefined>
  /** `fetch` with the user's credential, for your own APIs. */
  readonly fetch: typeof fetch
  /** Stops listening to other tabs. */
  close(): void
}
