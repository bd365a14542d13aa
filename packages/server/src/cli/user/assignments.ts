import { type Fields, readFields } from '../../http/fields.ts'
import { userField } from '../../http/user-field.ts'
import type { FieldValue, UserFields } from '../../kernel/user-fields/user-field.ts'
import type { Options } from '../command.ts'
import { refusal, usageRefusal } from '../refusal.ts'

export const fieldOption = {
  field: {
    type: 'repeated',
    placeholder: '<name>=<value>',
    doc: 'Set a field of USER_FIELDS; can be repeated',
  },
} as const satisfies Options

export type Assignments = Readonly<Record<string, string>>

/** Parses `['phone=123', 'groups=a,b']`. */
export function assignmentsIn(texts: readonly string[]): Assignments {
  const pairs = texts.map((text): [string, string] => {
    const cut = text.indexOf('=')
    // The text itself may be a secret, so it is not quoted.
    if (cut < 1) throw usageRefusal('Write a field as <name>=<value>.')
    return [text.slice(0, cut), text.slice(cut + 1)]
  })
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw usageRefusal(`${twice} is given twice.`)
  return Object.fromEntries(pairs)
}

/** Uses the rules and messages of the API. An empty value means null. */
export function readUserFields(
  given: Assignments,
  declared: UserFields,
): Record<string, FieldValue> {
  const fields: Fields = {}
  const values: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(given)) {
    const field = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (!field) throw noSuchField(name, Object.keys(declared))
    fields[name] = userField(field, { optional: true })
    if (text === '') values[name] = null
    else values[name] = field.type === 'list' ? itemsOf(text) : text
  }
  return readFields(fields, values) as Record<string, FieldValue>
}

export const itemsOf = (text: string): string[] =>
  text.split(',').flatMap((one) => one.trim() || [])

export function noSuchField(name: string, known: readonly string[]) {
  const others =
    known.length > 0 ? `These can be set: ${known.join(', ')}` : 'USER_FIELDS declares no fields'
  return refusal(`There is no field "${name}" to set. ${others}.`)
}
