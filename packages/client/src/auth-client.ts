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
  /** Where the service is, with its prefix: `https://accounts.example.com/auth/`. */
  url?: string
  /** Where the login is kept; in memory by default, so that it is gone with the page. */
  storage?: LoginStorage
  /** Under which key; clients with the same one share a login. */
  storageKey?: string
  /** Further origins that `fetch()` may send the credential to. */
  origins?: readonly string[]
  /** Milliseconds until a call is given up; 0 never does. */
  timeout?: number
  fetch?: typeof fetch
}

export type AuthClient<User = UserDetails> = Methods<typeof endpoints, User> & {
  readonly passkeys: Ceremonies<User>
  /** Who is signed in, as far as it is known. */
  readonly state: State<User>
  /** Calls the listener with every new state; gives a function that ends it. */
  onChange(listener: (state: State<User>) => void): () => void
  /** Calls the listener when a login ends, once; gives a function that ends it. */
  onSignedOut(listener: (reason: SignedOutReason) => void): () => void
  /** Finds out who is signed in, by asking for the user. Never rejects: see `error` of the state. */
  restore(): Promise<State<User>>
  logout(options?: CallOptions): Promise<void>
  /** Refreshes now, for example because the claims of the user have changed. */
  refresh(): Promise<void>
  /** The value of the header `Authorization`, refreshed if need be, for what is not `fetch`. */
  authorization(): Promise<string | undefined>
  /** `fetch` in the name of the user, for the APIs behind the service. */
  readonly fetch: typeof fetch
  /** Listens no more to other tabs. */
  close(): void
}
