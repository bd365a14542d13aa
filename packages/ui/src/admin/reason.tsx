import { Field } from '../components/field.tsx'
import type { Values } from '../components/form.tsx'
import { facts } from '../facts.ts'
import { say } from './words.ts'

/** One of the fields of the deployment may be called `reason`, and none has a capital letter. */
const REASON = Object.hasOwn(facts.userFields, 'reason') ? 'Reason' : 'reason'

/** Why an operator does something, for the audit. */
export const ReasonField = ({ isRequired = false }: { isRequired?: boolean }) => (
  <Field name={REASON} label={say('confirm.reason')} required={isRequired} />
)

/** What was typed there. Without a reason, nothing is sent. */
export const reasonIn = (values: Values): string | undefined => values[REASON] || undefined
