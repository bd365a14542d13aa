import { say } from '../words.ts'
import { Field } from './field.tsx'

/** Browsers fill in codes from messages and password managers. */
export const CodeField = () => (
  <Field
    name="code"
    label={say('field.code')}
    inputMode="numeric"
    autocomplete="one-time-code"
    autofocus
  />
)

/** Recovery codes have letters. */
export const AnyCodeField = () => (
  <Field name="code" label={say('field.anyCode')} autocomplete="one-time-code" autofocus />
)
