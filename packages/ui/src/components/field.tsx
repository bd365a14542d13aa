import type { ComponentChildren, InputHTMLAttributes } from 'preact'
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

/** A field of one line. */
export function Field({ name, label, required = true, autofocus = false, ...input }: Props) {
  const element = useFocus(autofocus)
  return (
    <Labelled name={name} label={label} required={required}>
      {(ties) => (
        <input
          ref={element}
          aria-required={required}
          autocapitalize="none"
          spellcheck={false}
          dir={isLatin(input) ? 'ltr' : 'auto'}
          {...ties}
          // The type of Preact has one shape for each kind of input.
          {...(input as InputHTMLAttributes)}
        />
      )}
    </Labelled>
  )
}

export const EmailField = (props: Partial<Props>) => (
  <Field name="email" label={say('field.email')} type="email" autocomplete="email" {...props} />
)

/** Addresses and codes are written from left to right. Names follow their letters. */
const isLatin = ({ type = 'text', inputMode }: Partial<Props>): boolean =>
  inputMode === 'numeric' || type === 'email' || type === 'url' || type === 'number'

/** The attributes that tie a control to its label, and to what is wrong with it. */
type Ties = {
  id: string
  name: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
}

type LabelledProps = {
  name: string
  label: string
  required?: boolean
  /** Below the control. */
  hint?: string | undefined
  children(ties: Ties): ComponentChildren
}

/** A control with its label, and what is wrong with it. Screen readers read both. */
export function Labelled({ name, label, required = true, hint, children }: LabelledProps) {
  // A page may have several fields of one name, so the label refers to an id.
  const id = useId()
  const error = useFieldError(name)
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!required && <span class="hint"> ({say('optional')})</span>}
      </label>
      {children({
        id,
        name,
        ...(hint && { 'aria-describedby': `${id}-hint` }),
        ...describedBy(id, error),
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  )
}

export const FieldError = ({ id, error }: { id: string; error: string }) =>
  error ? (
    <p class="error" id={`${id}-error`}>
      {error}
    </p>
  ) : null

/** Ties an input to what is wrong with it. */
export const describedBy = (id: string, error: string) =>
  error ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {}
