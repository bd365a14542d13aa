import type { InputHTMLAttributes } from 'preact'
import { say } from '../words.ts'
import { useFieldError } from './form.tsx'

type Props = {
  name: string
  label: string
  hint?: string
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

/** A labelled input with what is wrong with it. The words stand where they belong and are read out. */
export function Field({ name, label, hint, required = true, ...input }: Props) {
  const error = useFieldError(name)
  return (
    <div class="field">
      <FieldLabel name={name} label={label} required={required} />
      <input
        id={name}
        name={name}
        aria-required={required}
        autocapitalize="none"
        spellcheck={false}
        {...describedBy(name, error, hint)}
        // Its type would want each kind of input apart.
        {...(input as InputHTMLAttributes)}
      />
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <FieldError name={name} error={error} />
    </div>
  )
}

type LabelProps = { name: string; label: string; required?: boolean | undefined }

export const FieldLabel = ({ name, label, required = true }: LabelProps) => (
  <label for={name}>
    {label}
    {!required && <span class="hint"> ({say('optional')})</span>}
  </label>
)

export const FieldError = ({ name, error }: { name: string; error: string }) =>
  error ? (
    <p class="error" id={`${name}-error`}>
      {error}
    </p>
  ) : null

/** Ties an input to its hint and its error. */
export function describedBy(name: string, error: string, hint?: string) {
  const ids = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean)
  return {
    ...(error && { 'aria-invalid': true }),
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
  }
}
