import { optional, record, toObject } from '../../kernel/setting-kinds/compounds.ts'
import {
  collect,
  inside,
  type Kind,
  kind,
  type Parsed,
  type ReadBy,
  wrongValue,
} from '../../kernel/setting-kinds/kind.ts'
import { choice, flag, integer, toNumber } from '../../kernel/setting-kinds/scalars.ts'
import { readValue } from '../../kernel/user-fields/read-value.ts'
import {
  type FieldValue,
  USER_FIELD_TYPES,
  type UserField,
  type UserFields,
  type UserFieldType,
} from '../../kernel/user-fields/user-field.ts'
import { BUILT_IN } from './user-details.ts'

const NAME = /^[a-z][a-z0-9_]{0,39}$/

/** Names that already have a meaning in a form or an answer. */
const RESERVED: readonly string[] = [
  // A project may have had a field with the name `language` before we had one. Theirs wins.
  ...BUILT_IN.filter((name) => name !== 'language'),
  'codes',
  'password',
  'password1',
  'password2',
  'non_field_errors',
  'csrfmiddlewaretoken',
  'impersonated_by',
  'mfa_setup_required',
]

const MAX_LENGTH: Partial<Record<UserFieldType, number>> = { string: 255, url: 2000, list: 100 }
const LONGEST = 10_000
const MOST_CHOICES = 1000

const NO_LENGTH = 'nothing, since only a string, a url or a list has a length'
const NO_LIMITS = 'nothing, since only numbers have limits'

const anything = kind<unknown>(
  'any value',
  (input) => input ?? null,
  (value) => JSON.stringify(value),
)
const number = kind('a number', toNumber)

const declaration = record(
  {
    type: choice(USER_FIELD_TYPES),
    max_length: optional(integer(1, LONGEST)),
    min: optional(number),
    max: optional(number),
    choices: anything,
    required: flag,
    default: anything,
    editable: flag,
    signup: flag,
    unique: flag,
  },
  (given) => given,
)

type Given = ReadBy<typeof declaration>

const nameExpected = `a name of at most 40 lower-case letters, digits and _, but none of ${RESERVED.join(', ')}`

/** The fields that users of this deployment have besides the built-in ones, by name. */
export const userFields: Kind<UserFields, Readonly<Record<string, UserFieldInput | undefined>>> = {
  expected: 'an object with the names of fields and their declarations',
  secret: false,
  record: false,
  parse(input) {
    const object = toObject(input)
    if (!object) return wrongValue(input, userFields.expected)
    const parsed = collect(Object.entries(object).map(([name, given]) => parseField(name, given)))
    return 'value' in parsed ? { value: Object.fromEntries(parsed.value) } : parsed
  },
  // A field without a length has 0. It is printed as null, since `parse` would refuse 0.
  show: (fields) =>
    JSON.stringify(fields, (key, value) => (key === 'max_length' ? value || null : value)),
}

function parseField(name: string, input: unknown): Parsed<readonly [string, UserField]> {
  if (!NAME.test(name) || RESERVED.includes(name)) return wrongValue(name, nameExpected)
  const parsed = declaration.parse(input)
  const read = 'value' in parsed ? complete(parsed.value) : parsed
  return 'value' in read ? { value: [name, read.value] } : inside(name, read)
}

/** Fills in the defaults, and checks the values against each other. */
function complete(given: Given): Parsed<UserField> {
  const { type, min = null, max = null } = given
  const { required = false, editable = true, signup = false, unique = false } = given
  if (!type) return wrongValue(undefined, choice(USER_FIELD_TYPES).expected, 'type')
  const longest = MAX_LENGTH[type]
  if (given.max_length && !longest) return wrongValue(given.max_length, NO_LENGTH, 'max_length')
  const isNumeric = type === 'integer' || type === 'number'
  if (!isNumeric && (min ?? max) !== null)
    return wrongValue(min ?? max, NO_LIMITS, min === null ? 'max' : 'min')
  if (min !== null && max !== null && min > max)
    return wrongValue(min, `at most ${max}, the value of max`, 'min')

  const max_length = given.max_length ?? longest ?? 0
  const declared = { type, max_length, min, max, required, editable, signup, unique }
  const open: UserField = { ...declared, choices: null, default: null }
  const choices = choicesOf(open, given.choices ?? null)
  if ('mistakes' in choices) return choices
  const field = { ...open, choices: choices.value }
  const value = given.default ?? null
  const read = readValue({ ...field, required: false }, value)
  if ('faults' in read) {
    const why = read.faults.map((one) => one.text).join(' ')
    return wrongValue(value, `a value of the field (${why})`, 'default')
  }
  if (unique && read.value !== null) {
    return wrongValue(value, 'none, since the default would be the same for all users', 'default')
  }
  return { value: { ...field, default: read.value } }
}

function choicesOf(field: UserField, given: unknown): Parsed<readonly FieldValue[] | null> {
  if (given === null) return { value: null }
  // The choices of a list are the choices of its items.
  const of: UserField = {
    ...field,
    required: true,
    ...(field.type === 'list' && { type: 'string', max_length: LONGEST }),
  }
  const expected = `a list of 1 to ${MOST_CHOICES} values of the type ${of.type}`
  const isList = Array.isArray(given) && given.length > 0 && given.length <= MOST_CHOICES
  if (!isList) return wrongValue(given, expected, 'choices')
  const read = given.map((one) => readValue(of, one))
  const bad = read.findIndex((one) => 'faults' in one)
  if (bad >= 0) return wrongValue(given[bad], expected, 'choices')
  return { value: read.flatMap((one) => ('value' in one ? [one.value] : [])) }
}

/** The declaration of one field in `USER_FIELDS`. See docs/user-fields.md. */
export type UserFieldInput =
  | (Declared<'string' | 'url', string> & Long)
  | (Declared<'list', readonly string[], string> & Long)
  | (Declared<'integer' | 'number', number> & Limited)
  | Declared<'boolean', boolean>
  | Declared<'date' | 'datetime', string>

type Declared<Type extends UserFieldType, Value, Item = Value> = {
  readonly type: Type
  /** The allowed values, or the allowed items of a `list`. */
  readonly choices?: readonly Item[] | null | undefined
  /** Shown for users without a value. */
  readonly default?: Value | null | undefined
  /** Registration asks for it (with `signup`); it cannot be null or blank. */
  readonly required?: boolean | undefined
  /** `PUT` and `PATCH user/` accept it. This is the default. */
  readonly editable?: boolean | undefined
  /** Registration accepts it. */
  readonly signup?: boolean | undefined
  /** No two users have the same value. */
  readonly unique?: boolean | undefined
}

type Long = {
  /** Characters of a text, or items of a `list`. */
  readonly max_length?: number | null | undefined
}

type Limited = {
  readonly min?: number | null | undefined
  readonly max?: number | null | undefined
}
