import type { EventKind } from '../kernel/event-kinds.ts'
import type { LoginMethod } from '../storage/login-tables.ts'
import type { HookUser } from './hook-user.ts'

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
  /** `import`: the account was deleted in the Django project that is being taken over. */
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
