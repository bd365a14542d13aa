import type { SignedIn } from 'latchkey-client'
import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { facts } from '../facts.ts'
import { isAbout } from '../problem.ts'
import { say } from '../words.ts'
import { Button } from './button.tsx'
import { CodeField } from './code-field.tsx'
import { Field } from './field.tsx'
import { Form, type Values } from './form.tsx'

type Props = {
  token: string
  onSignedIn(answer: SignedIn): unknown
  /** The first step was too long ago. */
  onLate(): void
}

/** Asks for a code of the authenticator app, or a recovery code. */
export function SecondStep({ token, onSignedIn, onLate }: Props) {
  const [usesApp, setUsesApp] = useState(true)
  const text = usesApp ? 'twoFactor.text' : 'twoFactor.recoveryText'
  async function verify({ code = '' }: Values) {
    try {
      await onSignedIn(await auth.mfa.verify({ ephemeral_token: token, code }))
    } catch (error) {
      if (!isAbout(error, 'ephemeral_token')) throw error
      onLate()
    }
  }
  return (
    <>
      <p>{say(text, { site: facts.site })}</p>
      <Form button={say('twoFactor.button')} submit={verify}>
        {usesApp ? (
          <CodeField />
        ) : (
          <Field name="code" label={say('twoFactor.recoveryCode')} autocomplete="off" autofocus />
        )}
      </Form>
      <Button kind="quiet" onClick={() => setUsesApp(!usesApp)}>
        {say(usesApp ? 'twoFactor.useRecovery' : 'twoFactor.useApp')}
      </Button>
    </>
  )
}
