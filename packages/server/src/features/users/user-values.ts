import type { HookUser } from '../../core/hooks.ts'
import type { RuledUser } from '../../core/host/host-options.ts'
import { pkOf } from '../../core/identity.ts'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { isObject } from '../../kernel/json-object.ts'
import { nameKey, normalizeUsername } from '../../kernel/names.ts'
import type { FieldValue, UserField, UserFields } from '../../kernel/user-fields/user-field.ts'
import { BUILT_IN, type BuiltIn, type NamedField } from '../../settings/kinds/user-details.ts'
import type { Settings } from '../../settings/settings.ts'
import type { User } from '../../storage/schema.ts'

/** The values of a user by the names of their fields in `USER_FIELDS`. */
export type Values = Readonly<Record<string, FieldValue>>

type Reader = (user: User, stored: Values) => unknown

const READERS: Readonly<Record<BuiltIn, (user: User) => unknown>> = {
  pk: pkOf,
  id: pkOf,
  username: (user) => user.username,
  email: (user) => user.email,
  first_name: (user) => user.first_name,
  last_name: (user) => user.last_name,
  date_joined: (user) => isoTime(user.joined_at),
  last_login: (user) => isoTimeOrNull(user.last_login_at),
  is_active: (user) => user.is_active === 1,
  is_staff: (user) => user.is_staff === 1,
  is_superuser: (user) => user.is_superuser === 1,
  email_verified: (user) => user.email_verified === 1,
  groups: groupsOf,
  language: (user) => user.language,
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
    const read: Reader = declaration
      ? (_user, stored) => storedValue(source, declaration, stored)
      : READERS[source as BuiltIn]
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

/** The values of all fields of `USER_FIELDS`. */
export const declaredIn = (stored: Values, declared: UserFields): Values =>
  Object.fromEntries(
    Object.entries(declared).map(([name, field]) => [name, storedValue(name, field, stored)]),
  )

/** Every field that all users have, once: `id` is another name of `pk`. */
export const PROFILE = BUILT_IN.filter((name) => name !== 'id')

export const readProfile = userReader(
  PROFILE.map((name) => ({ name, source: name })),
  {},
) as (user: User) => Omit<HookUser, 'fields'>

/** The user as hooks see them: all fields, and no secret. */
export function createAsHookUser({
  USER_FIELDS,
}: Pick<Settings, 'USER_FIELDS'>): (user: User) => HookUser {
  return (user) => ({ ...readProfile(user), fields: declaredIn(storedIn(user), USER_FIELDS) })
}

/** A user, or a visitor who registers. */
export type PersonalDetails = Partial<
  Pick<User, 'id' | 'uuid' | 'username' | 'first_name' | 'last_name' | 'email'>
>

/** The user as the rules of the host see them: in the spelling that is, or will be, stored. */
export function ruledUser(details: PersonalDetails): RuledUser {
  const { id, uuid = null, username = '', email = '', first_name = '', last_name = '' } = details
  return {
    pk: id === undefined ? null : pkOf({ id, uuid }),
    username: normalizeUsername(username),
    email: nameKey(email),
    first_name,
    last_name,
  }
}
