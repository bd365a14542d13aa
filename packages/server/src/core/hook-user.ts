import type { Pk } from '../kernel/ids.ts'
import type { FieldValue } from '../kernel/user-fields/user-field.ts'

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
