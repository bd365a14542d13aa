import type { TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { orNull } from '../core/schemas.ts'
import { fault } from '../kernel/problems.ts'
import { ITEM_MAX, readValue } from '../kernel/user-fields/read-value.ts'
import type { FieldValue, UserField, UserFieldType } from '../kernel/user-fields/user-field.ts'
import type { Field } from './fields.ts'

type Describe = (options: object) => TSchema

const SCHEMAS: Readonly<Record<UserFieldType, { of: Describe; example: unknown }>> = {
  string: { of: (options) => Type.String(options), example: 'text' },
  integer: { of: (options) => Type.Integer(options), example: 1 },
  number: { of: (options) => Type.Number(options), example: 1.5 },
  boolean: { of: (options) => Type.Boolean(options), example: true },
  date: { of: (options) => Type.String({ format: 'date', ...options }), example: '2030-01-01' },
  datetime: {
    of: (options) => Type.String({ format: 'date-time', ...options }),
    example: '2030-01-01T12:00:00.000Z',
  },
  url: {
    of: (options) => Type.String({ format: 'uri', ...options }),
    example: 'https://example.com/ada',
  },
  list: { of: (options) => Type.Array(Type.String(), options), example: ['text'] },
}

const exampleOf = ({ type, choices, default: usual, min }: UserField): unknown => {
  const [first] = choices ?? []
  if (first !== undefined) return type === 'list' ? [first] : first
  return usual ?? min ?? SCHEMAS[type].example
}

/** The schema of a field of `USER_FIELDS` in an answer. */
export const shownUserField = (field: UserField): TSchema =>
  orNull(SCHEMAS[field.type].of({}), { examples: [exampleOf(field)] })

/** A field of the deployment in a request. */
export function userField(
  field: UserField,
  { optional }: { optional: boolean },
): Field<FieldValue> {
  const { type, max_length, min, max, choices } = field
  const limits = {
    ...((type === 'string' || type === 'url') && { maxLength: max_length }),
    ...(type === 'list' && { maxItems: max_length }),
    ...(min !== null && { minimum: min }),
    ...(max !== null && { maximum: max }),
    ...(choices && type !== 'list' && { enum: choices }),
  }
  return {
    optional,
    isList: type === 'list',
    schema: SCHEMAS[type].of({ ...limits, examples: [exampleOf(field)] }),
    faults: [
      ...(min === null ? [] : [fault('too_small', { min })]),
      ...(max === null ? [] : [fault('too_large', { max })]),
      ...(type === 'list' ? listFaults(field) : []),
    ],
    read: (input) => readValue(field, input),
  }
}

const listFaults = ({ max_length, choices }: UserField) => [
  fault('too_many_elements', { max: max_length }),
  fault('null'),
  fault('blank'),
  fault('not_a_string'),
  fault('too_long', { max: ITEM_MAX }),
  fault('null_characters'),
  ...(choices ? [fault('not_a_choice', { input: 'x' })] : []),
]

const plain: Omit<UserField, 'type'> = {
  max_length: 100,
  min: null,
  max: null,
  choices: null,
  default: null,
  required: true,
  editable: false,
  signup: false,
  unique: false,
}

/** A field with one of the types that fields of the deployment have. */
export const ofType = <T>(type: UserField['type'], more: Partial<UserField> = {}): Field<T> =>
  userField({ ...plain, type, ...more }, { optional: false }) as Field<T>

/** Milliseconds. A program may pass a `Date`. */
export function time(): Field<number> {
  const field = ofType<string>('datetime')
  return {
    ...field,
    read(input) {
      const isDate = input instanceof Date && !Number.isNaN(input.getTime())
      const result = field.read(isDate ? input.toISOString() : input)
      return 'faults' in result ? result : { value: Date.parse(result.value) }
    },
  }
}

/** The same. A date alone is its beginning in UTC. */
export function moment(): Field<number> {
  const field = time()
  return {
    ...field,
    read: (input) =>
      field.read(typeof input === 'string' ? input.replace(DATE, '$1T00:00Z') : input),
  }
}

const DATE = /^\s*(\d{4}-\d{2}-\d{2})\s*$/
