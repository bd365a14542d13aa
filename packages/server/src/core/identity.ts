import type { Pk } from '../kernel/ids.ts'
import type { User } from '../storage/schema.ts'

/** Who sends the request, and with which credential. */
export type Identity = {
  user: User
  via: 'token' | 'session' | 'jwt'
  /** The login of the credential. A key that all logins share belongs to none. */
  loginId: number | null
  /** The key of the admin session, if that is the credential. It belongs to no login. */
  adminSession?: string
  /** The digest of the key, if all logins of the user share it. */
  tokenDigest?: string
  /**
   * When the user last authenticated for this login or API token. It is `NEVER_HERE` for a token of
   * another service, which has no login here.
   */
  authenticatedAt: number
  /** True if the login began with a verified passkey, or the admin session has shown a second factor. */
  hasTwoFactors?: boolean
  /** When the credential expires. Null if never. */
  expiresAt: number | null
  /** All claims of the access token, if that is the credential. They must not be changed. */
  claims?: Readonly<Record<string, unknown>>
  /** Present if the credential may do less than its user. */
  restriction?: Restriction
}

/**
 * Why a credential may do less than its user. An endpoint accepts only the kinds and scopes that it
 * names, and `http/authenticate.ts` refuses all others.
 */
export type Restriction = Impersonation | ScopedKey | FactorDue

/** An operator uses the account of the user. */
export type Impersonation = {
  readonly kind: 'impersonation'
  readonly operator: Pick<User, 'id' | 'uuid' | 'username'>
  readonly reason: string
}

/** A key that a user made for a program. It can do only what its scopes say. */
type ScopedKey = { readonly kind: 'api_key'; readonly scopes: readonly string[] }

/** The user must set up a second factor, and can do nothing else. */
export type FactorDue = { readonly kind: 'mfa_setup' }

/** What a key may do, such as `user:read`. The colon tells scopes from kinds of restrictions. */
export type KeyScope = `${string}:${string}`

/** Undefined unless an operator uses the account of the user. */
export const impersonationIn = ({ restriction }: Identity): Impersonation | undefined =>
  restriction?.kind === 'impersonation' ? restriction : undefined

/** Undefined if the credential is not a key with scopes. */
export const scopesIn = ({ restriction }: Identity): readonly string[] | undefined =>
  restriction?.kind === 'api_key' ? restriction.scopes : undefined

export const isFactorDue = ({ restriction }: Pick<Identity, 'restriction'>): boolean =>
  restriction?.kind === 'mfa_setup'

/** Whether the credential is the key that all logins of the user share. */
export const isSharedKey = ({ tokenDigest }: Identity): boolean => tokenDigest !== undefined

/** Longer ago than any authentication. */
export const NEVER_HERE = 0

/**
 * Where a login comes from. This is personal data: it is stored and deleted with the login, and
 * appears in logs and audit events only for operators.
 */
export type Device = {
  /** The whole address. Limits count an IPv6 client by its network instead. */
  readonly address: string
  /** What the browser calls itself: plain text, possibly empty. */
  readonly userAgent: string
}

/** The id of the user on the wire. If the user has a UUID, the integer key is never shown. */
export const pkOf = ({ id, uuid }: Pick<User, 'id' | 'uuid'>): Pk => uuid ?? id

/** What an admin key may do. `users` is for changes and exports. Both return the user. */
export const SCOPES = ['read', 'audit', 'mails', 'users'] as const
export type Scope = (typeof SCOPES)[number]

/** A person at the admin API. */
export type AdminPerson = {
  readonly kind: 'person'
  /** It belongs to no login, so the public API does not know it. */
  readonly identity: Identity & { adminSession: string; expiresAt: number }
  /** Null if the person has no second factor yet. They can only set one up. */
  readonly provedAt: number | null
}

/** A program at the admin API. */
type AdminProgram = {
  readonly kind: 'key'
  readonly id: number
  readonly name: string
  readonly scopes: readonly Scope[]
}

/** Who sends a request to the admin API. */
export type AdminCaller = AdminPerson | AdminProgram
