import type { FieldValue } from '../../../server/src/kernel/user-fields/user-field.ts'

/* The answers of the admin API, as far as the pages use them. */

export type Pk = number | string

export type Operator = {
  pk: Pk
  username: string
  is_staff: boolean
  is_superuser: boolean
}

export type Session = {
  user: Operator
  /** True if the operator has no second factor yet. */
  mfa_setup_required: boolean
}

export type UserRow = Operator & {
  email: string
  email_verified: boolean
  first_name: string
  last_name: string
  is_active: boolean
  mfa: boolean
  date_joined: string
  last_login: string | null
}

/** Parts of modules that are off are missing. */
export type User = UserRow & {
  groups: readonly string[]
  fields: Readonly<Record<string, FieldValue>>
  /** Null if it was never chosen. */
  language: string | null
  has_password: boolean
  second_factor?: { mfa_enabled: boolean; recovery_codes_left: number }
  logins: readonly Login[]
  passkeys?: readonly Passkey[]
  api_keys?: readonly Key[]
  social_accounts?: readonly { id: number; provider: string; date_joined: string }[]
  mails: readonly { kind: string | null; state: string; created_at: string }[]
  history: readonly AuditRow[]
}

export type Login = {
  id: string
  method: string | null
  user_agent: string | null
  address: string | null
  last_used_at: string
}

type Passkey = { id: number; name: string; created_at: string; last_used_at: string | null }

export type AuditRow = {
  id: number
  at: string
  event: string
  user: Pk | null
  operator: { kind: string; pk: string | null; name: string | null } | null
  address: string | null
  reason: string | null
  details: Readonly<Record<string, string | number>>
  times_that_day: number
}

type Waiting = { id: string; state: string; attempts: number; created_at: string }
export type MailRow = Waiting & { letter: string | null; to: string | null }
export type EventRow = Waiting & { type: string; receiver: string | null }

/** Of a program: for the admin API, or for the account of a user. */
export type Key = {
  id: number
  name: string
  scopes: readonly string[]
  created_at: string
  last_used_at: string | null
  expires_at: string | null
}

export type Invitation = {
  id: number
  email: string
  groups: readonly string[]
  /** Null if an operator invites. */
  invited_by: string | null
  expires_at: string
}

/** A key of the service. */
export type ServiceKey = {
  use: 'signs' | 'checks' | 'seals' | 'opens'
  id: string | null
  algorithm: string
  since: string | null
}

export type Finding = { setting: string; finding: string; mend: string }

export type Figures = {
  users: number
  days: readonly { day: string; sign_ups: number; logins: number; failures: number }[]
}
