import { useState } from 'preact/hooks'
import { strengthOf } from '../strength.ts'
import { type Key, say } from '../words.ts'
import { Labelled } from './field.tsx'
import { useFocus } from './focus.ts'

type Props = {
  name: string
  label?: string
  /** A new password shows how strong it is. */
  isNew?: boolean
  autofocus?: boolean
  /** Below the field. */
  hint?: string
}

export function PasswordField({ name, label, isNew = false, autofocus = false, hint }: Props) {
  const element = useFocus(autofocus)
  const [isShown, setShown] = useState(false)
  const [typed, setTyped] = useState('')
  const kind = { type: isShown ? 'text' : 'password' } as { type: 'text' }
  const toggle = () => setShown(!isShown)
  return (
    <Labelled name={name} label={label ?? say('password.label')} hint={hint}>
      {(ties) => (
        <>
          <div class="with-button">
            <input
              ref={element}
              {...kind}
              autocomplete={isNew ? 'new-password' : 'current-password'}
              autocapitalize="none"
              spellcheck={false}
              dir="ltr"
              aria-required={!hint}
              onInput={(event) => setTyped(event.currentTarget.value)}
              {...ties}
            />
            <button type="button" class="quiet" aria-pressed={isShown} onClick={toggle}>
              {say(isShown ? 'password.hide' : 'password.show')}
            </button>
          </div>
          {isNew && <Strength of={typed} />}
        </>
      )}
    </Labelled>
  )
}

/** It takes its place before anything is typed, so that nothing jumps. */
function Strength({ of: password }: { of: string }) {
  const strength = strengthOf(password)
  const words = password === '' ? '' : say(`password.strength.${strength}` as Key)
  return (
    <div class="strength">
      <meter min={0} max={4} low={2} high={3} optimum={4} value={strength} aria-hidden="true" />
      <span aria-live="polite">{words}</span>
    </div>
  )
}
