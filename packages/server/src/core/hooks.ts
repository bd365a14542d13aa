import type { EventKind } from '../kernel/event-kinds.ts'
import type { Pk } from '../kernel/ids.ts'
import type { FieldValue } from '../kernel/user-fields/user-field.ts'
import type { LoginMethod } from '../storage/schema.ts'

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

/** What each kind of event tells besides the user. None of it is a secret. */
export type EventDetails = {
  /** By their own form, by a first social login, or by an operator. */
  registered: { method: 'registration' | 'social' | 'operator' }
  /** `address` is the one that the client has, or `''` if nobody knows it. */
  signedIn: { method: LoginMethod; address: string }
  /**
   * `removed`: the owner of the address logged in by a code, and the password of whoever had
   * registered with this address is gone.
   */
  passwordChanged: { method: 'change' | 'reset' | 'operator' | 'removed' }
  /** The user has the new address, or none if its owner said that the account is not theirs. */
  emailChanged: { former_email: string }
  mfaChanged: { change: 'activated' | 'deactivated' | 'recovery_codes_regenerated' }
  /** `import`: the account was deleted in the Django project that is being imported. */
  deleted: { by: 'user' | 'operator' | 'import' }
}

/**
 * The same for hooks and, as JSON, for webhooks. A repeated delivery has the same id. `type` tells
 * which details there are.
 */
export type AccountEvent<K extends EventKind = EventKind> = K extends EventKind
  ? {
      readonly id: string
      readonly type: K
      /** When it happened, in ISO 8601. */
      readonly timestamp: string
      /** As they were at that moment. */
      readonly user: HookUser
    } & Readonly<EventDetails[K]>
  : never

type Hook<K extends EventKind> = (event: AccountEvent<K>) => unknown

/**
 * Functions of the host that are told what has happened, after the commit. They never delay or fail
 * an answer. Each event is told at least once, and those of one user in their order. A hook that
 * throws, or takes longer than five seconds, is logged and told again later.
 */
export type AfterHooks = {
  /** There is a new account. Its address may still be unproved. */
  readonly registered?: Hook<'registered'>
  /** A user has a new login. */
  readonly signedIn?: Hook<'signedIn'>
  readonly passwordChanged?: Hook<'passwordChanged'>
  /** The account has another address, or none any more. */
  readonly emailChanged?: Hook<'emailChanged'>
  /** The authenticator app was added or removed, or there are new recovery codes. */
  readonly mfaChanged?: Hook<'mfaChanged'>
  /** The account is gone. This is the last event of the user. */
  readonly deleted?: Hook<'deleted'>
}

/** A user as hooks see them. It is a copy: no hook can change the user. */
export type HookUser = {
  readonly pk: Pk
  readonly username: string
  /** Empty if the user has none. */
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly email_verified: boolean
  readonly is_active: boolean
  readonly is_staff: boolean
  readonly is_superuser: boolean
  readonly groups: readonly string[]
  /** ISO 8601, in UTC. */
  readonly date_joined: string
  /** Before the login that a hook is asked about. */
  readonly last_login: string | null
  /** The values of `USER_FIELDS`, by their names. */
  readonly fields: Readonly<Record<string, FieldValue>>
}
