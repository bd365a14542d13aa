import { AuthError } from 'latchkey-client'
import { useEffect } from 'preact/hooks'
import { auth, continueAfter } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { Or, OtherWays } from '../components/other-ways.tsx'
import { Page } from '../components/page.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { facts, hasModule } from '../facts.ts'
import { identifierField } from '../identifier.ts'
import { offerPasskeys } from '../passkeys.ts'
import { goTo, Link } from '../router.tsx'
import { say } from '../words.ts'

export function Login() {
  const { name, label } = identifierField()

  async function logIn(values: Values) {
    try {
      continueAfter(await auth.login(values as { password: string }))
    } catch (error) {
      if (!isUnverified(error)) throw error
      const typed = values[name] ?? ''
      goTo('check-your-mail', { email: typed.includes('@') ? typed : '' })
    }
  }

  return (
    <Page title={say('login.title')}>
      {hasModule('passkeys') && <PasskeyLogin />}
      <Form button={say('login.title')} submit={logIn}>
        <Field name={name} label={label} autocomplete="username webauthn" autofocus />
        <PasswordField name="password" />
        <p class="beside">
          <Link to="password/reset">{say('login.forgot')}</Link>
        </p>
      </Form>
      <OtherWays>
        {facts.loginByCode && (
          <Link to="login/code" class="button">
            {say('login.byCode')}
          </Link>
        )}
      </OtherWays>
      {hasModule('registration') && (
        <p class="foot">
          {say('login.noAccount')} <Link to="register">{say('login.register')}</Link>
        </p>
      )}
    </Page>
  )
}

const isUnverified = (error: unknown): boolean =>
  error instanceof AuthError && error.nonField.includes('E-mail is not verified.')

/** A button, and an offer among the names that the browser proposes in the field below. */
function PasskeyLogin() {
  const { isBusy, trouble, run, setTrouble } = useTask()
  useEffect(() => offerPasskeys(continueAfter), [])
  if (!auth.passkeys.isSupported()) return null
  const logIn = () =>
    run(async () => {
      try {
        continueAfter(await auth.passkeys.login())
      } catch (error) {
        // An error of the browser: there is no passkey, or the user has cancelled.
        if (error instanceof AuthError && error.code?.endsWith('Error')) {
          return setTrouble(say('login.passkeyFailed'))
        }
        throw error
      }
    })
  return (
    <>
      <Trouble words={trouble} />
      <Button busy={isBusy} onClick={logIn}>
        {say('login.passkey')}
      </Button>
      <Or />
    </>
  )
}
