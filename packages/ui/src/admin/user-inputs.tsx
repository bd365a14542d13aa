import type { FieldValue } from '../../../server/src/kernel/user-fields/user-field.ts'
import { Field } from '../components/field.tsx'
import type { Values } from '../components/form.tsx'
import { typedValue, UserFieldInput } from '../components/user-field.tsx'
import { facts } from '../facts.ts'
import { say } from './words.ts'

const USER_FIELDS = Object.entries(facts.userFields)

/** With one language there is no choice, and a field of the deployment may have this name. */
export const hasLanguages =
  facts.languages.length > 1 && !Object.hasOwn(facts.userFields, 'language')

type FieldsProps = { initially(name: string): FieldValue; mayBeEmpty?: boolean }

/** An input for every field of the deployment. */
export const UserFieldInputs = ({ initially, mayBeEmpty = false }: FieldsProps) => (
  <>
    {USER_FIELDS.map(([name, field]) => (
      <UserFieldInput
        key={name}
        name={name}
        field={mayBeEmpty ? { ...field, required: false } : field}
        value={initially(name)}
      />
    ))}
  </>
)

/** What was typed there, as the API takes it: nothing if none of the wanted fields exists. */
export function typedFields(
  values: Values,
  isWanted: (name: string) => boolean = () => true,
): { fields?: Record<string, FieldValue> } {
  const wanted = USER_FIELDS.filter(([name]) => isWanted(name))
  const typed = wanted.map(([name, field]) => [name, typedValue(field, values[name])] as const)
  return typed.length > 0 ? { fields: Object.fromEntries(typed) } : {}
}

/** A value of such a field, for readers. */
export function sayValue(value: FieldValue | undefined): string {
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  return [value ?? []].flat().join(', ') || '–'
}

/** Names of groups. Only superusers may give some. */
export const GroupsField = ({ groups = [] }: { groups?: readonly string[] }) => (
  <Field
    name="groups"
    label={say('rights.groups')}
    required={false}
    defaultValue={groups.join(', ')}
    autocomplete="off"
  />
)

/** Commas separate the names. A name that the user has already may contain some. */
export function groupsIn(typed: string, known: readonly string[] = []): string[] {
  const text = typed.trim()
  if (text === '') return []
  const whole = known.find((name) => name.includes(',') && `${text},`.startsWith(`${name},`))
  const name = whole ?? text.replace(/,.*/, '')
  return [name.trim() || [], groupsIn(text.slice(name.length + 1), known)].flat()
}
