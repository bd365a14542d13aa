import type { FieldValue, UserField } from '../../../server/src/kernel/user-fields/user-field.ts'
import { type Key, say } from '../words.ts'
import { Check } from './check.tsx'
import { Field, Labelled } from './field.tsx'

type Props = { name: string; field: UserField; value: FieldValue }

/** An input for a field of the deployment (`USER_FIELDS`). */
export function UserFieldInput({ name, field, value }: Props) {
  const label = labelOf(name)
  const { required, type } = field
  if (type === 'boolean') return <Check name={name} label={label} isOn={value === true} />
  // A list can hold several of its choices, and a `select` only one.
  const choices = type === 'list' ? null : field.choices
  // An input of one line would lose the line breaks.
  const hasLines = type === 'list' || (type === 'string' && /[\r\n]/.test(String(value)))
  if (!choices && !hasLines) {
    const { min, max } = field
    return (
      <Field
        name={name}
        label={label}
        required={required}
        type={INPUT_TYPES[type]}
        defaultValue={value === null ? '' : shown(field, value)}
        {...(min !== null && { min })}
        {...(max !== null && { max })}
        {...(type === 'number' && { step: 'any' })}
      />
    )
  }
  return (
    <Labelled name={name} label={label} required={required}>
      {(ties) =>
        choices ? (
          <select {...ties} defaultValue={String(value ?? '')}>
            {/* Without it, the browser would show the first choice, which nobody has made. */}
            {(!required || !choices.includes(value)) && <option value="">–</option>}
            {choices.map((choice) => (
              <option key={choice} value={String(choice)} selected={choice === value}>
                {String(choice)}
              </option>
            ))}
          </select>
        ) : (
          <textarea
            {...ties}
            rows={3}
            {...(type === 'list' && { placeholder: say('profile.listHint') })}
          >
            {[value ?? []].flat().join('\n')}
          </textarea>
        )
      }
    </Labelled>
  )
}

const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  username: 'username',
  email: 'email',
  first_name: 'given-name',
  last_name: 'family-name',
}

type BuiltInProps = {
  name: string
  /** The field of the user that it shows, if its name is another one. */
  source?: string
  required: boolean
  value?: FieldValue
}

/** An input for a field that every user has. */
export const BuiltInField = ({ name, source = name, required, value = null }: BuiltInProps) => (
  <Field
    name={name}
    label={source in AUTOCOMPLETE ? say(`field.${source}` as Key) : labelOf(name)}
    type={source === 'email' ? 'email' : 'text'}
    autocomplete={AUTOCOMPLETE[source]}
    required={required}
    defaultValue={String(value ?? '')}
  />
)

const INPUT_TYPES = {
  string: 'text',
  integer: 'number',
  number: 'number',
  date: 'date',
  datetime: 'datetime-local',
  url: 'url',
} as const

/** The input takes a time only without its zone. The service reads and stores times in UTC. */
const shown = ({ type }: UserField, value: FieldValue): string =>
  type === 'datetime' ? String(value).replace('Z', '') : String(value)

/** `favourite_colour` reads as "Favourite colour". */
export const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What was typed, as the API takes it. */
export function typedValue({ type, required }: UserField, typed: string | undefined): FieldValue {
  if (type === 'boolean') return typed !== undefined
  if (type === 'list') return (typed ?? '').split('\n').filter((line) => line.trim() !== '')
  if (!typed) return required ? '' : null
  return typed
}
