import { useId } from 'preact/hooks'
import { say } from '../words.ts'
import { Check } from './check.tsx'
import { describedBy, FieldError } from './field.tsx'
import { useFieldError, type Values } from './form.tsx'

type Props<Scope extends string> = { scopes: readonly Scope[]; label(scope: Scope): string }

/** What a key may do. */
export function ScopesField<Scope extends string>({ scopes, label }: Props<Scope>) {
  const id = useId()
  const error = useFieldError('scopes')
  return (
    <fieldset {...describedBy(id, error)}>
      <legend>{say('keys.scopes')}</legend>
      {/* Tells the form that what is wrong with the scopes belongs here. */}
      <input type="hidden" name="scopes" />
      {scopes.map((scope) => (
        <Check key={scope} name={nameOf(scope)} label={label(scope)} />
      ))}
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

export const chosenScopes = <Scope extends string>(
  scopes: readonly Scope[],
  values: Values,
): Scope[] => scopes.filter((scope) => values[nameOf(scope)] === 'on')

/** A scope may be called like another field of the form. */
const nameOf = (scope: string): string => `scopes.${scope}`
