import { useId } from 'preact/hooks'
import { facts } from '../facts.ts'
import { say } from '../words.ts'
import { describedBy, FieldError, FieldLabel } from './field.tsx'
import { useFieldError } from './form.tsx'

type Props = {
  name: string
  /** Null if it was never chosen. It can then stay so, like one that is no longer offered. */
  value: string | null
}

/** A choice of the languages that the service speaks. */
export function LanguageField({ name, value }: Props) {
  const id = useId()
  const error = useFieldError(name)
  return (
    <div class="field">
      <FieldLabel id={id} label={say('field.language')} />
      <select id={id} name={name} {...describedBy(id, error)}>
        {(value === null || !facts.languages.includes(value)) && <option value="">–</option>}
        {facts.languages.map((code) => (
          <option key={code} value={code} lang={code} selected={code === value}>
            {nameOfLanguage(code)}
          </option>
        ))}
      </select>
      <FieldError id={id} error={error} />
    </div>
  )
}

/** In the language itself: "Deutsch", "Português (Brasil)" */
export function nameOfLanguage(code: string): string {
  const name = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
