import { list, namedTexts, record } from '../../kernel/setting-kinds/compounds.ts'
import type { Kind } from '../../kernel/setting-kinds/kind.ts'
import { matching } from '../../kernel/setting-kinds/scalars.ts'
import type { UserFields } from '../../kernel/user-fields/user-field.ts'

const USUAL = ['pk', 'username', 'email', 'first_name', 'last_name'] as const
const EDITABLE: readonly string[] = ['username', 'first_name', 'last_name', 'language']

/** The fields that every user has. */
export const BUILT_IN = [
  ...USUAL,
  'id',
  'date_joined',
  'last_login',
  'is_active',
  'is_staff',
  'is_superuser',
  'email_verified',
  'groups',
  'language',
] as const

export type BuiltIn = (typeof BUILT_IN)[number]

export type UserDetails = {
  /** By default the five usual ones and those of `USER_FIELDS`. */
  readonly fields?: readonly string[] | undefined
  /** By default all shown fields that can be editable. */
  readonly editable?: readonly string[] | undefined
  /** From the name of a field in `user/` to the field of the user that it shows. */
  readonly as?: Readonly<Record<string, string>> | undefined
}

const NAME = /^[a-z]\w{0,63}$/i
const names = list(matching('a name of letters, digits and _', NAME))

export const userDetails: Kind<UserDetails> = record(
  {
    fields: names,
    editable: names,
    as: namedTexts('an object with names and the fields that they show', NAME),
  },
  (given): UserDetails => given,
)

/** The name of a field in `user/`, and the field of the user that it shows. */
export type NamedField = { readonly name: string; readonly source: string }

type Declared = { readonly details: UserDetails; readonly userFields: UserFields }

const isUserField = (name: string, userFields: UserFields): boolean =>
  Object.hasOwn(userFields, name)

export const isKnownField = (name: string, userFields: UserFields): boolean =>
  BUILT_IN.some((one) => one === name) || isUserField(name, userFields)

const canBeEdited = (source: string, userFields: UserFields): boolean =>
  isUserField(source, userFields)
    ? userFields[source]?.editable === true
    : EDITABLE.includes(source)

export function shownFields({ details, userFields }: Declared): readonly NamedField[] {
  const { fields = [...USUAL, ...Object.keys(userFields)] } = details
  return fields.map((name) => ({ name, source: sourceOf(name, details) }))
}

/** A field that is not shown is editable only if the setting names it. */
export function editableFields(declared: Declared): readonly NamedField[] {
  const { details, userFields } = declared
  if (!details.editable) {
    return shownFields(declared).filter(({ source }) => canBeEdited(source, userFields))
  }
  return details.editable.map((name) => ({ name, source: sourceOf(name, details) }))
}

function sourceOf(name: string, { as = {} }: UserDetails): string {
  return (Object.hasOwn(as, name) && as[name]) || name
}

/** What is wrong with the setting together with `USER_FIELDS`, or null. */
export function userDetailsMistake(declared: Declared): string | null {
  const { details, userFields } = declared
  const shown = shownFields(declared)
  const known = [...BUILT_IN, ...Object.keys(userFields)].join(', ')
  const stray = Object.keys(details.as ?? {}).find((key) => !shown.some(({ name }) => name === key))
  if (stray) return `"as" renames a field to ${stray}, which "fields" does not list`
  const unknown = shown.find(({ source }) => !isKnownField(source, userFields))
  if (unknown) return `users have no field ${unknown.source}; they have ${known}`
  const fixed = editableFields(declared).find(({ source }) => !canBeEdited(source, userFields))
  if (!fixed) return null
  const others = Object.keys(userFields).filter((name) => canBeEdited(name, userFields))
  return `${fixed.source} cannot be editable; only these can: ${[...EDITABLE, ...others].join(', ')}`
}
