import type { SignedIn } from 'latchkey-client'
import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { PasskeyLogin } from '../components/passkey-login.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { SecondStep } from '../components/second-step.tsx'
import { Trouble } from '../components/task.tsx'
import { hasModule } from '../facts.ts'
import { identifierField } from '../identifier.ts'
import { say } from './words.ts'

/**
 * A login for these pages alone: a password and a second factor, or a passkey. `App` hears of it from
 * the client.
 */
export function SignIn() {
  const [token, setToken] = useState('')
  const [trouble, setTrouble] = useState('')
  const { name, label } = identifierField()
  const proceed = (answer: SignedIn) => {
    if (answer.mfa_required) setToken(answer.ephemeral_token)
  }
  const startAgain = () => {
    setToken('')
    setTrouble(say('login.late'))
  }
  if (token !== '') {
    return (
      <Page title={say('twoFactor.title')}>
        <SecondStep token={token} onSignedIn={proceed} onLate={startAgain} />
      </Page>
    )
  }
  return (
    <Page title={say('signIn.title')}>
      <p class="hint">{say('signIn.text')}</p>
      <Trouble words={trouble} />
      {hasModule('passkeys') && <PasskeyLogin onSignedIn={proceed} />}
      <Form
        button={say('login.title')}
        submit={async (values) => proceed(await auth.login(values as { password: string }))}
      >
        <Field name={name} label={label} autocomplete="username webauthn" autofocus />
        <PasswordField name="password" />
      </Form>
    </Page>
  )
}
