import type { Identity } from './identity.ts'

/** What an admin key may do. `users` is for changes and exports. Both return the user. */
export const SCOPES = ['read', 'audit', 'mails', 'users'] as const
export type Scope = (typeof SCOPES)[number]

/** A person at the admin API. */
export type AdminPerson = {
  readonly kind: 'person'
  /** It belongs to no login, so the public API does not know it. */
  readonly identity: Identity & { adminSession: string }
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
