import { facts } from '../facts.ts'
import { say } from '../words.ts'
import { Labelled } from './field.tsx'

type Props = {
  name: string
  /** Null if it was never chosen. It can then stay so, like one that is no longer offered. */
  value: string | null
}

/** A choice of the languages that the service speaks. */
export const LanguageField = ({ name, value }: Props) => (
  <Labelled name={name} label={say('field.language')}>
    {(ties) => (
      <select {...ties}>
        {(value === null || !facts.languages.includes(value)) && <option value="">–</option>}
        {facts.languages.map((code) => (
          <option key={code} value={code} lang={code} selected={code === value}>
            {nameOfLanguage(code)}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)

/** In the language itself: "Deutsch", "Português (Brasil)" */
export function nameOfLanguage(code: string): string {
  const name = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
