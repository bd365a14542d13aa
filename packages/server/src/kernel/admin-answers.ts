import type { FieldValue } from './user-fields/user-field.ts'

/* What operations of administration answer, to a host (`auth.admin`) and to the pages for operators. */

/** The primary key of a user, as `GET user/` shows it. */
export type UserPk = number | string

/** A page of a list. It may be shorter than its limit, and `next` is null after the last one. */
export type AdminPage<T> = { results: T[]; next: string | null }

/** A user, as operators see them. */
export type AdminUser = {
  pk: UserPk
  username: string
  email: string
  email_verified: boolean
  first_name: string
  last_name: string
  language: string | null
  is_active: boolean
  is_staff: boolean
  is_superuser: boolean
  groups: string[]
  date_joined: string
  last_login: string | null
  has_password: boolean
  mfa: boolean
  fields: Record<string, FieldValue>
}

/** A key that a user made for a program, without its secret. */
export type UserApiKey = {
  id: number
  name: string
  scopes: string[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

/** A user with everything that belongs to them, without secrets. Parts of modules that are off are missing. */
export type AdminUserDetails = AdminUser & {
  second_factor?: {
    mfa_enabled: boolean
    created_at: string | null
    last_used_at: string | null
    recovery_codes_left: number
  }
  logins: {
    id: string
    method: string | null
    created_at: string
    last_used_at: string
    expires_at: string | null
    address: string | null
    user_agent: string | null
  }[]
  passkeys?: {
    id: number
    name: string
    credential_id: string
    created_at: string
    last_used_at: string | null
    transports: string[]
    discoverable: boolean
  }[]
  /** With `API_KEYS`. */
  api_keys?: UserApiKey[]
  social_accounts?: {
    id: number
    provider: string
    uid: string
    last_login: string
    date_joined: string
  }[]
  pending_confirmations: { email: string; purpose: 'verify' | 'change'; expires_at: string }[]
  mails: { kind: string | null; state: string; created_at: string }[]
  history: AuditRecord[]
}

/** An invitation, without its key. */
export type OpenInvitation = {
  id: number
  email: string
  created_at: string
  expires_at: string
  groups: string[]
  fields: Record<string, FieldValue>
  /** The username of the user who invites; null if an operator does. */
  invited_by: string | null
}

/** Something that happened, and who caused it. */
export type AuditRecord = {
  id: number
  at: string
  event: string
  /** The pk; null if the event is about no user. */
  user: UserPk | null
  /** Null if the user caused it. */
  operator: { kind: string; pk: string | null; name: string | null } | null
  address: string | null
  reason: string | null
  details: Record<string, string | number>
  /** On the first event of a kind and day: how many there were, kept or not. */
  times_that_day: number
}

type Waiting = {
  id: string
  /** `queued`, or `dead` if it was given up. */
  state: string
  attempts: number
  created_at: string
  due_at: string | null
}

/** A mail that waits, or was given up. */
export type WaitingMail = Waiting & { to: string | null; letter: string | null }

/** An event that waits for its receiver, or was given up. */
export type WaitingEvent = Waiting & { type: string; receiver: string | null }

/** A key of the service, without its value. */
export type KeyInUse = {
  use: 'signs' | 'checks' | 'seals' | 'opens'
  id: string | null
  algorithm: string
  since: string | null
}

/** A key with which a program uses the admin API, without its secret. */
export type ProgramKey = UserApiKey & {
  /** A user with their pk, or the name that a command or the host gives. */
  created_by: string
}

/** A key for a program, with its secret. */
export type NewProgramKey = ProgramKey & { key: string }

/** Something that is not safe for production, usually a setting, and how to mend it. */
export type DeployFinding = { setting: string; finding: string; mend: string }

/** The number of users, and what happened on each of the last 30 days. */
export type ServiceFigures = {
  users: number
  days: { day: string; sign_ups: number; logins: number; failures: number }[]
}
