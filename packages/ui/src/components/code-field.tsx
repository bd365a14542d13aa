import { say } from '../words.ts'
import { Field } from './field.tsx'

type Props = { label?: string; name?: string }

/** Browsers fill in codes from messages and password managers. */
export const CodeField = ({ label, name = 'code' }: Props) => (
  <Field
    name={name}
    label={label ?? say('field.code')}
    inputMode="numeric"
    autocomplete="one-time-code"
    autofocus
  />
)

/** Recovery codes have letters. */
export const AnyCodeField = () => (
  <Field name="code" label={say('field.anyCode')} autocomplete="one-time-code" autofocus />
)
