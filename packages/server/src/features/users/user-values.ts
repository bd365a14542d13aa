import { pkOf } from '../../core/pk.ts'
import { isoTime } from '../../kernel/clock.ts'
import { isObject } from '../../kernel/json-object.ts'
import type { FieldValue, UserField, UserFields } from '../../kernel/user-fields/user-field.ts'
import type { BuiltIn, NamedField } from '../../settings/kinds/user-details.ts'
import type { User } from '../../storage/schema.ts'

/** The values of a user by the names of their fields in `USER_FIELDS`. */
export type Values = Readonly<Record<string, FieldValue>>

const BUILT_IN: Readonly<Record<BuiltIn, (user: User) => unknown>> = {
  pk: pkOf,
  id: pkOf,
  username: (user) => user.username,
  email: (user) => user.email,
  first_name: (user) => user.first_name,
  last_name: (user) => user.last_name,
  date_joined: (user) => isoTime(user.joined_at),
  last_login: (user) => (user.last_login_at === null ? null : isoTime(user.last_login_at)),
  is_active: (user) => user.is_active === 1,
  is_staff: (user) => user.is_staff === 1,
  is_superuser: (user) => user.is_superuser === 1,
  email_verified: (user) => user.email_verified === 1,
  groups: groupsOf,
}

export function groupsOf(user: User): string[] {
  return JSON.parse(user.group_names)
}

/** The stored values of all fields, including fields that are no longer declared. */
export function storedIn({ extra }: User): Values {
  const stored: unknown = JSON.parse(extra)
  return isObject(stored) ? (stored as Values) : {}
}

/** Reads these fields of a user. All of them are in the row of the user, so it needs no query. */
export function userReader(
  fields: readonly NamedField[],
  declared: UserFields,
): (user: User) => Record<string, unknown> {
  const isStored = ({ source }: NamedField) => Object.hasOwn(declared, source)
  const needsStored = fields.some(isStored)
  const readers = fields.map((field) => {
    const { name, source } = field
    const declaration = isStored(field) ? declared[source] : undefined
    const builtIn = BUILT_IN[source as BuiltIn]
    const read = (user: User, stored: Values): unknown =>
      declaration ? storedValue(source, declaration, stored) : builtIn(user)
    return { name, read }
  })

  return (user) => {
    const stored = needsStored ? storedIn(user) : {}
    const values: Record<string, unknown> = {}
    for (const { name, read } of readers) values[name] = read(user, stored)
    return values
  }
}

/** A value that was stored when the field had another type is ignored. */
function storedValue(name: string, field: UserField, stored: Values): FieldValue {
  const value = Object.hasOwn(stored, name) ? stored[name] : undefined
  return value === undefined || !fits(value, field) ? field.default : value
}

function fits(value: FieldValue, { type }: UserField): boolean {
  if (value === null) return true
  if (type === 'list') return Array.isArray(value)
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === (type === 'number' ? 'number' : 'string')
}
