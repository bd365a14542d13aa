import type { SignedIn } from 'latchkey-client'
import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { facts } from '../facts.ts'
import { say } from '../words.ts'
import { Button } from './button.tsx'
import { CodeField } from './code-field.tsx'
import { Field } from './field.tsx'
import { Form } from './form.tsx'

type Props = { token: string; onSignedIn(answer: SignedIn): void }

/** Asks for a code of the authenticator app, or a recovery code. */
export function SecondStep({ token, onSignedIn }: Props) {
  const [usesApp, setUsesApp] = useState(true)
  const text = usesApp ? 'twoFactor.text' : 'twoFactor.recoveryText'
  return (
    <>
      <p>{say(text, { site: facts.site })}</p>
      <Form
        button={say('twoFactor.button')}
        submit={async ({ code = '' }) =>
          onSignedIn(await auth.mfa.verify({ ephemeral_token: token, code }))
        }
      >
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
