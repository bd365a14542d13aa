import { EVENT_KINDS, type EventKind } from '../kernel/event-kinds.ts'
import type { Pk } from '../kernel/ids.ts'
import type { FieldValue } from '../kernel/user-fields/user-field.ts'
import type { LoginMethod } from '../storage/schema.ts'

/** A visitor who wants an account. */
export type Registering = {
  /**
   * The fields of the account as they would be stored: four texts, which may be empty, and the
   * fields of `USER_FIELDS` that were sent. The password is never included.
   */
  readonly fields: {
    /** Empty if the service will generate one. */
    readonly username: string
    /** In lower case. */
    readonly email: string
    readonly first_name: string
    readonly last_name: string
    readonly [userField: string]: FieldValue
  }
  /** `social` for the first login with an account of a provider. */
  readonly method: 'registration' | 'social'
  /** The client's address; behind proxies as `NUM_PROXIES` says. */
  readonly address: string
}

/** A user who has passed every check and is about to get a credential. */
export type SigningIn = {
  readonly user: HookUser
  /** How they authenticated. A second factor does not change it. */
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

/** Claims for an access token, by their names. Undefined ones are left out. */
export type HookClaims = { readonly [claim: string]: JsonValue | undefined }

type Added = HookClaims | undefined

/** A hook that returns a boolean does not compile, because nothing would read the result. */
type Done = void | Promise<void>

/**
 * Functions of the program that embeds the service. Each may be async.
 *
 * The first four are called before anything is written. All but `claims` can refuse with
 * `refuse('words')`. If a hook throws anything else or takes longer than five seconds, this is
 * logged and the request gets a 503.
 */
export type Hooks = AfterHooks & {
  /** Somebody registers, or logs in for the first time with an account of a provider. */
  readonly registering?: ((registration: Registering) => Done) | undefined
  /** Somebody has authenticated and is about to get a credential. */
  readonly signingIn?: ((login: SigningIn) => Done) | undefined
  /** A user asks for another address. If `registering` restricts addresses, do the same here. */
  readonly changingEmail?: ((change: ChangingEmail) => Done) | undefined
  /** Returns further claims for an access token, at each login and each refresh. */
  readonly claims?: ((user: HookUser) => Added | Promise<Added>) | undefined
}

/** The hooks that are called before anything is written. A missing name does not compile. */
const BEFORE: Readonly<Record<Exclude<keyof Hooks, EventKind>, true>> = {
  registering: true,
  signingIn: true,
  changingEmail: true,
  claims: true,
}

/** Every hook: the others have the names of the events that they get. */
export const hookNames = [...Object.keys(BEFORE), ...EVENT_KINDS] as readonly (keyof Hooks)[]

/** What each kind of event contains besides the user. None of it is secret. */
export type EventDetails = {
  /** By the registration form, by a first social login, or by an operator. */
  registered: { method: 'registration' | 'social' | 'operator' }
  /** `address` is the client's, or `''` if it is not known. */
  signedIn: { method: LoginMethod; address: string }
  /**
   * `removed`: the owner of the address logged in by a code, so the password was removed. Somebody
   * else may have registered with this address and set it.
   */
  passwordChanged: { method: 'change' | 'reset' | 'operator' | 'removed' }
  /** The user has the new address, or none if its owner said that the account is not theirs. */
  emailChanged: { former_email: string }
  mfaChanged: { change: 'activated' | 'deactivated' | 'recovery_codes_regenerated' }
  /** A key that the user made for a program, by its id and name. */
  apiKeysChanged: { change: 'created' | 'revoked'; key: number; name: string }
  /** `import`: the account was deleted in the Django project that is being imported. */
  deleted: { by: 'user' | 'operator' | 'import' }
}

/**
 * An event, for hooks and, as JSON, for webhooks. A repeated delivery has the same id. `type`
 * determines which details there are.
 */
export type AccountEvent<K extends EventKind = EventKind> = K extends EventKind
  ? {
      readonly id: string
      readonly type: K
      /** When it happened, in ISO 8601. */
      readonly timestamp: string
      /** The user at that moment. */
      readonly user: HookUser
    } & Readonly<EventDetails[K]>
  : never

type Hook<K extends EventKind> = (event: AccountEvent<K>) => unknown

/**
 * Functions of the host that are called after the commit. They never delay an answer or make it
 * fail. Each event is delivered at least once, and the events of one user in order. If a hook
 * throws or takes longer than five seconds, this is logged and the event is delivered again later.
 */
export type AfterHooks = {
  /** There is a new account. Its address may still be unverified. */
  readonly registered?: Hook<'registered'>
  /** A user has a new login. */
  readonly signedIn?: Hook<'signedIn'>
  readonly passwordChanged?: Hook<'passwordChanged'>
  /** The account has another address, or no longer has one. */
  readonly emailChanged?: Hook<'emailChanged'>
  /** The authenticator app was added or removed, or there are new recovery codes. */
  readonly mfaChanged?: Hook<'mfaChanged'>
  /** The user made a key for a program, or it was revoked (`API_KEYS`). */
  readonly apiKeysChanged?: Hook<'apiKeysChanged'>
  /** The account is gone. This is the last event of the user. */
  readonly deleted?: Hook<'deleted'>
}

/** A user as hooks see them. It is a copy, so a hook cannot change the user. */
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
  /** A tag such as `de`. Null if the user has chosen none. */
  readonly language: string | null
  /** ISO 8601, in UTC. */
  readonly date_joined: string
  /** The login before the current one. */
  readonly last_login: string | null
  /** The values of `USER_FIELDS`, by their names. */
  readonly fields: Readonly<Record<string, FieldValue>>
}
