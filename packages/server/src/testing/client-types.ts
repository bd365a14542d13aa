import type { AccountEvent } from '../core/hooks.ts'
import type { EventKind } from '../kernel/event-kinds.ts'
import type { LetterName } from '../kernel/letter-names.ts'
import type { BrowserCookie } from './browser-cookies.ts'
import type { TestLetter } from './mailbox.ts'
import type { TestUser } from './new-users.ts'

/** Seconds, or a number with a unit: `30`, `'5m'`, `'3d'`. */
export type TestDuration = number | `${number}${'s' | 'm' | 'h' | 'd'}`

/** A point in time: a `Date`, or a text in ISO 8601. */
export type ClockTime = Date | string

/** A new user. Everything has a default. */
export type UserInput = {
  readonly username?: string
  /** By default the username at example.com. */
  readonly email?: string
  readonly password?: string
  /** True by default: the address is proved. */
  readonly verified?: boolean
  readonly active?: boolean
  readonly first_name?: string
  readonly last_name?: string
  readonly is_staff?: boolean
  readonly is_superuser?: boolean
  readonly groups?: readonly string[]
  readonly language?: string
  /** Values of `USER_FIELDS`. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Adds an authenticator app with recovery codes. */
  readonly totp?: boolean
  /** Adds a passkey. */
  readonly passkey?: boolean
}

/** A login of a user. */
export type LoginInput = {
  /** The pk, the username or the address. */
  readonly user: number | string
  /** By default what a login of the service gives. */
  readonly mode?: 'token' | 'jwt' | 'session'
  /** False: stop where the code of the second factor is asked for. */
  readonly mfa?: boolean
  /** How long ago the login was. */
  readonly age?: TestDuration
}

/** The answer to a login, and its cookies. */
export type TestLogin = {
  readonly user: Readonly<Record<string, unknown>>
  readonly cookies: readonly BrowserCookie[]
  readonly key?: string
  readonly access?: string
  readonly refresh?: string
  readonly ephemeral_token?: string
  readonly mfa_required?: true
}

/** Which letters to list, and how long to wait for the first. */
export type MailQuery = {
  readonly to?: string
  readonly kind?: LetterName
  /** Only letters after the one with this id. */
  readonly after?: string
  readonly wait?: TestDuration
}

/** Which events to list, and how long to wait for the first. */
export type EventQuery = {
  readonly type?: EventKind
  /** Only events after the one with this id. */
  readonly after?: string
  readonly wait?: TestDuration
}

/** What an OpenID provider says at the next login: who it is, or an error. */
export type NextLogin = {
  readonly sub?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  /** Further claims of the ID token. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** An error code of OAuth, such as `access_denied`. */
  readonly error?: string
  /** How long the token endpoint takes to answer. */
  readonly delay?: TestDuration
}

/** A fault of a path, of the mail server or of the database. Null takes it back. */
export type FaultInput =
  | {
      /** Below the prefix of the API, such as `login/`. */
      readonly path: string
      readonly status?: number | null
      readonly delay?: TestDuration | null
      /** How many requests fail. By default all do. */
      readonly times?: number
    }
  | { readonly smtp: 'refuse' | 'hang' | null }
  | { readonly database: 'down' | null }

/** A running test service, or one of its spaces. */
export type TestService = {
  /** The address of the service: `http://localhost:50123` */
  readonly url: string
  /** The address of the API. */
  readonly api: string
  /** The address of the hosted pages. Null if they are off. */
  readonly pages: string | null
  /** The address of the page that shows all mails. */
  readonly mailbox: string
  /** The header that leads a request at the first address to this space. */
  readonly headers: Readonly<Record<string, string>>
  /** Adds users, with a credential of every kind. */
  users: {
    (input?: UserInput): Promise<TestUser>
    (input: readonly UserInput[]): Promise<TestUser[]>
  }
  /** Adds one user. */
  user(input?: UserInput): Promise<TestUser>
  /** Logs a user in. */
  login(input: LoginInput): Promise<TestLogin>
  /** The letters so far, oldest first. */
  mail(query?: MailQuery): Promise<TestLetter[]>
  /** The newest letter. Waits five seconds for one, and fails if none comes. */
  letter(query?: MailQuery): Promise<TestLetter>
  /** The next code of the user's authenticator app. */
  totp(user: number | string): Promise<string>
  /** The clock of the service. What becomes due happens at once. */
  readonly clock: {
    now(): Promise<Date>
    advance(by: TestDuration): Promise<Date>
    set(at: ClockTime): Promise<Date>
    /** Stops it, now or at a given time. */
    freeze(at?: ClockTime): Promise<Date>
    /** Lets it run on from the time that it shows. */
    run(): Promise<Date>
  }
  /** A provider whose `server_url` is `test:`. */
  idp(name: string): { next(login: NextLogin): Promise<void> }
  readonly faults: {
    add(fault: FaultInput): Promise<void>
    /** Takes all faults back. */
    clear(): Promise<void>
  }
  /** What has happened to accounts, oldest first. */
  events(query?: EventQuery): Promise<AccountEvent[]>
  /** Forgets who has asked how often, so that no limit is reached. */
  resetLimits(): Promise<void>
  /** Remembers the present state. Returns its id. */
  snapshot(): Promise<string>
  restore(id: string): Promise<void>
  /** Goes back to the seed and the real time. */
  reset(): Promise<void>
  /** A service of its own for a parallel worker. It is made at its first use. */
  space(name: string): Promise<TestService>
  /** Ends the service. Nothing is kept. */
  stop(): Promise<void>
}
