import type { FieldValue } from '../kernel/user-fields/user-field.ts'
import type { LoginMethod } from '../storage/schema.ts'
import type { AfterHooks } from './events.ts'
import type { HookUser } from './hook-user.ts'

export type { HookUser } from './hook-user.ts'

/** A visitor who wants an account. */
export type Registering = {
  /**
   * What the account would be made of, as it would be stored: four texts, which may be empty, and
   * the fields of `USER_FIELDS` that were sent. The password is never among them.
   */
  readonly fields: {
    /** Empty if the service is going to make one up. */
    readonly username: string
    /** In lower case. */
    readonly email: string
    readonly first_name: string
    readonly last_name: string
    readonly [userField: string]: FieldValue
  }
  /** `social` at the first login with an account of a provider. */
  readonly method: 'registration' | 'social'
  /** The client's address; behind proxies as `NUM_PROXIES` says. */
  readonly address: string
}

/** A user who has proved everything, and is about to get a credential. */
export type SigningIn = {
  readonly user: HookUser
  /** How they proved who they are. A second factor does not change it. */
  readonly method: LoginMethod
  readonly address: string
}

/** A user who wants another address. */
export type ChangingEmail = {
  readonly user: HookUser
  /** The new address, in lower case. */
  readonly email: string
  /** The client's address; behind proxies as `NUM_PROXIES` says. */
  readonly address: string
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined }

/** Claims by their names. Those without a value are left out. */
export type HookClaims = { readonly [claim: string]: JsonValue | undefined }

type Added = HookClaims | undefined

/** Nothing: what answers true or false, in the hope to be heard, does not compile. */
type Done = void | Promise<void>

/**
 * Functions of the program that the service is built into. Each may be async.
 *
 * The first four are asked before anything is written. All but `claims` refuse with
 * `refuse('words')`. A hook that throws anything else, or takes longer than five seconds, is logged,
 * and the request is refused with 503.
 */
export type Hooks = AfterHooks & {
  /** Somebody wants to register, or logs in for the first time with an account of a provider. */
  readonly registering?: ((registration: Registering) => Done) | undefined
  /** Somebody has proved who they are, and gets their credential next. */
  readonly signingIn?: ((login: SigningIn) => Done) | undefined
  /** A user asks for another address. A rule of `registering` for addresses belongs here, too. */
  readonly changingEmail?: ((change: ChangingEmail) => Done) | undefined
  /** Further claims for an access token, at each login and each refresh. */
  readonly claims?: ((user: HookUser) => Added | Promise<Added>) | undefined
}

/** Every hook, once: a name that is missing here does not compile. */
const HOOKS: Readonly<Record<keyof Hooks, true>> = {
  registering: true,
  signingIn: true,
  changingEmail: true,
  claims: true,
  registered: true,
  signedIn: true,
  passwordChanged: true,
  emailChanged: true,
  mfaChanged: true,
  deleted: true,
}

export const hookNames = Object.keys(HOOKS) as readonly (keyof Hooks)[]
