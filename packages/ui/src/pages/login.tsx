import { AuthError } from 'latchkey-client'
import { useState } from 'preact/hooks'
import { auth, continueAfter, lacksCookies } from '../auth.ts'
import { Captcha } from '../components/captcha.tsx'
import { Field } from '../components/field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { OtherWays } from '../components/other-ways.tsx'
import { Page } from '../components/page.tsx'
import { PasskeyLogin } from '../components/passkey-login.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { Good, Trouble } from '../components/task.tsx'
import { facts, hasModule } from '../facts.ts'
import { identifierField } from '../identifier.ts'
import { addQuietly } from '../passkeys.ts'
import { hasCode } from '../problem.ts'
import { goTo, Link, passedOn } from '../router.tsx'
import { say } from '../words.ts'

export function Login() {
  const { name, label } = identifierField()
  /** Why somebody cannot sign in, or has to do so again. */
  const [why] = useState(() => (lacksCookies ? say('login.noCookies') : passedOn('trouble')))
  const [typed] = useState(() => passedOn('name'))
  const [made] = useState(() => passedOn('made'))

  async function logIn(values: Values) {
    try {
      const answer = await auth.login(values as { password: string })
      const added = answer.mfa_required ? null : addQuietly()
      // Leaving for another site would interrupt it. The pages here do not.
      if (facts.next !== null) await added
      await continueAfter(answer, 'password')
    } catch (error) {
      if (!isUnverified(error)) throw error
      await askToConfirm(values[name] ?? '')
    }
  }

  return (
    <Page title={say('login.title')}>
      <Trouble words={why} />
      <Good words={made} />
      {hasModule('passkeys') && (
        <PasskeyLogin
          onSignedIn={continueAfter}
          onRefused={(error) => {
            if (!isUnverified(error)) throw error
            askForAddress()
          }}
        />
      )}
      <Form button={say('login.title')} submit={logIn}>
        <Field
          name={name}
          label={label}
          autocomplete="username webauthn"
          defaultValue={typed}
          autofocus
        />
        <PasswordField name="password" />
        <Captcha on="login_after_failures" onDemand />
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
      {hasModule('registration') && facts.signup === 'open' && (
        <p class="foot">
          {say('login.noAccount')} <Link to="register">{say('login.register')}</Link>
        </p>
      )}
    </Page>
  )
}

const askForAddress = () => goTo('check-your-mail', {}, { about: 'address' })

/** The service knows the address of a username, but does not tell it. */
async function askToConfirm(typed: string): Promise<void> {
  if (!typed.includes('@')) return askForAddress()
  await auth.email.resend({ email: typed }).catch(unlessThrottled)
  goTo('check-your-mail', { email: typed })
}

/** If the limit is reached, a mail was sent a moment ago. */
function unlessThrottled(error: unknown): void {
  if (!(error instanceof AuthError) || error.status !== 429) throw error
}

const isUnverified = (error: unknown): boolean => hasCode(error, 'email_not_verified')
