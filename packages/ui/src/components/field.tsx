import type { InputHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'
import { say } from '../words.ts'
import { useFocus } from './focus.ts'
import { useFieldError } from './form.tsx'

type Props = {
  name: string
  label: string
  type?: 'text' | 'email' | 'url' | 'number' | 'date' | 'datetime-local'
  autocomplete?: string | undefined
  inputMode?: 'numeric'
  required?: boolean
  autofocus?: boolean
  defaultValue?: string
  min?: number
  max?: number
  step?: 'any'
}

/** An input with its label, and what is wrong with it. Screen readers read both. */
export function Field({ name, label, required = true, autofocus = false, ...input }: Props) {
  const id = useId()
  const element = useFocus(autofocus)
  const error = useFieldError(name)
  return (
    <div class="field">
      <FieldLabel id={id} label={label} required={required} />
      <input
        ref={element}
        id={id}
        name={name}
        aria-required={required}
        autocapitalize="none"
        spellcheck={false}
        dir={isLatin(input) ? 'ltr' : 'auto'}
        {...describedBy(id, error)}
        // The type of Preact has one shape for each kind of input.
        {...(input as InputHTMLAttributes)}
      />
      <FieldError id={id} error={error} />
    </div>
  )
}

/** Addresses and codes are written from left to right. Names are as their letters are. */
const isLatin = ({ type = 'text', inputMode }: Partial<Props>): boolean =>
  inputMode === 'numeric' || type === 'email' || type === 'url' || type === 'number'

type LabelProps = { id: string; label: string; required?: boolean }

/** A page may have several fields of one name, so a label refers to an id. */
export const FieldLabel = ({ id, label, required = true }: LabelProps) => (
  <label for={id}>
    {label}
    {!required && <span class="hint"> ({say('optional')})</span>}
  </label>
)

export const FieldError = ({ id, error }: { id: string; error: string }) =>
  error ? (
    <p class="error" id={`${id}-error`}>
      {error}
    </p>
  ) : null

/** Ties an input to what is wrong with it. */
export const describedBy = (id: string, error: string) =>
  error ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {}
