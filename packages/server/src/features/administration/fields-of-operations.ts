import { type Field, optional, text } from '../../http/fields.ts'
import { ofType, userField } from '../../http/user-field.ts'
import { type Pk, readId, readPk } from '../../kernel/ids.ts'
import { isObject } from '../../kernel/json-object.ts'
import { Fault, fault } from '../../kernel/problems.ts'
import { nameOfType } from '../../kernel/texts.ts'
import type { UserFields } from '../../kernel/user-fields/user-field.ts'
import type { Values } from '../users/user-values.ts'

/* The fields of operations. They read what a program passes as well as the texts of a query. */

export const flag = (): Field<boolean> => ofType('boolean')

export function groups(): Field<readonly string[]> {
  const field = ofType<readonly string[]>('list')
  return { ...field, schema: { ...field.schema, examples: [['editors']] } }
}

export const integer = (limits: { min: number; max: number }): Field<number> =>
  ofType('integer', limits)

export const choice = <const C extends string>(choices: readonly C[]): Field<C> => ({
  optional: false,
  schema: { type: 'string', enum: choices },
  faults: [fault('not_a_choice', { input: 'x' })],
  read(input) {
    const value = choices.find((one) => one === input)
    if (value !== undefined) return { value }
    const shown = typeof input === 'string' ? input.slice(0, 64) : nameOfType(input)
    return { faults: [fault('not_a_choice', { input: shown })] }
  },
})

const PK_MAX = 64
/** The id of a user. A text that cannot be one is nobody's, so the user is not found. */
export const pk = (): Field<Pk | null> => ({
  optional: false,
  schema: { type: 'string', maxLength: PK_MAX, examples: ['1'] },
  read: (input) => ({ value: typeof input === 'string' ? readPk(input) : null }),
})

const ID_TEXT_MAX = 20
/** The id of anything else. A text that cannot be one becomes 0, which nothing has. */
export const id = (): Field<number> => ({
  optional: false,
  schema: { type: 'string', maxLength: ID_TEXT_MAX },
  read: (input) => ({ value: (typeof input === 'string' ? readId(input) : null) ?? 0 }),
})

export const REASON_MAX = 500
/** Why an operator does something, for the audit. */
export const reason = (): Field<string | undefined> =>
  optional(text({ max: REASON_MAX, mayBeBlank: true }))

/** Values of `USER_FIELDS`, as an object. The text of a fault begins with the name of its field. */
export function ownFields(declared: UserFields): Field<Values | undefined> {
  const fields = Object.fromEntries(
    Object.entries(declared).map(([name, one]) => [name, userField(one, { optional: true })]),
  )
  return {
    optional: true,
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(fields).map(([name, { schema }]) => [name, schema]),
      ),
      examples: [{}],
    },
    faults: [fault('unknown_field')],
    read(input) {
      if (!isObject(input)) return { faults: [fault('not_a_dictionary')] }
      const values: Record<string, Values[string]> = {}
      const faults: Fault[] = []
      for (const [name, given] of Object.entries(input)) {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined
        const result = field?.read(typeof given === 'number' ? String(given) : given)
        // The name is not quoted: it may be of any length.
        if (!result) faults.push(fault('unknown_field'))
        else if ('value' in result) values[name] = result.value
        else faults.push(...result.faults.map((one) => new Fault(one.code, one.values, name)))
      }
      return faults.length > 0 ? { faults } : { value: values }
    },
  }
}
