import type { SignedIn } from 'latchkey-client'
import { useState } from 'preact/hooks'
import { thisDevice } from '../account/device-name.ts'
import { auth, continueAfter } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Captcha } from '../components/captcha.tsx'
import { Form, type Values } from '../components/form.tsx'
import { OtherWays } from '../components/other-ways.tsx'
import { Page } from '../components/page.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { Trouble } from '../components/task.tsx'
import { ToLogin } from '../components/to-login.tsx'
import { BuiltInField, typedValue, UserFieldInput } from '../components/user-field.tsx'
import { Username } from '../components/username.tsx'
import { facts } from '../facts.ts'
import { asksUsername, identifierField, uniqueValues } from '../identifier.ts'
import { isOfBrowser } from '../problem.ts'
import { goTo, Link } from '../router.tsx'
import { say } from '../words.ts'

export function Register() {
  /** Why the new user is not signed in: a hook of the host refuses it. */
  const [whyNotIn, setWhyNotIn] = useState('')
  const [isByPasskey, setByPasskey] = useState(false)
  /** Whether the browser made no passkey. */
  const [hasFailed, setFailed] = useState(false)
  const extra = Object.entries(facts.userFields).filter(([, { signup }]) => signup)

  async function register(values: Values) {
    const { email = '', password1 = '' } = values
    const fields = extra.map(([name, field]) => [name, typedValue(field, values[name])])
    const form = {
      ...values,
      ...(facts.invitation && { invitation: facts.invitation.key }),
      ...Object.fromEntries(fields),
    }
    setFailed(false)
    const answer = isByPasskey
      ? await auth.passkeys.signUp(form, { name: thisDevice() }).catch(unlessCancelled)
      : // The field can show what is typed, so nobody has to type it twice.
        await auth.register({ ...form, password1, password2: password1 })
    if (!answer) setFailed(true)
    else if (!('detail' in answer)) {
      if (await isSignedIn(answer)) return continueAfter(answer)
      const name = values[identifierField().name] || email
      goTo('login', { name, made: say('register.made') })
    } else if (facts.mustVerify && !facts.invitation) goTo('check-your-mail', { email })
    else setWhyNotIn(answer.detail)
  }

  if (whyNotIn) {
    return (
      <Page title={say('register.made')}>
        <p>{whyNotIn}</p>
        <ToLogin />
      </Page>
    )
  }

  if (facts.signup !== 'open' && !facts.invitation) return <NotHere />
  return (
    <Page title={say(facts.invitation ? 'invitation.title' : 'register.title')}>
      {facts.invitation && <p>{say('invitation.text', { email: facts.invitation.email })}</p>}
      <Trouble words={hasFailed ? say('passkeys.failed') : ''} />
      <Form button={say('register.button')} submit={register}>
        {facts.invitation && !asksUsername && <Username value={facts.invitation.email} />}
        {facts.signupFields
          .filter(isAsked)
          .filter((name) => !isByPasskey || !name.startsWith('password'))
          .map(SignupField)}
        {extra.map(([name, field]) => (
          <UserFieldInput key={name} name={name} field={field} value={field.default} />
        ))}
        <Captcha on="registration" />
      </Form>
      <OtherWays>
        {facts.passkeySignup && auth.passkeys.isSupported() && (
          <Button onClick={() => setByPasskey(!isByPasskey)}>
            {say(isByPasskey ? 'register.usePassword' : 'register.usePasskey')}
          </Button>
        )}
      </OtherWays>
      <p class="foot">
        {say('register.hasAccount')} <Link to="login">{say('login.title')}</Link>
      </p>
    </Page>
  )
}

/**
 * A service that answers as dj-rest-auth 6 does gives a new user no key and no cookie. If somebody was
 * signed in here before, they still are.
 */
async function isSignedIn({ key, user }: SignedIn): Promise<boolean> {
  if (!user) return facts.credential === 'session' || !!key
  return uniqueValues(user) === uniqueValues((await auth.restore()).user ?? {})
}

function unlessCancelled(error: unknown): null {
  if (isOfBrowser(error)) return null
  throw error
}

/** An invited user gets the address to which the invitation was sent. */
const isAsked = (declared: string): boolean =>
  !facts.invitation || declared.replace('*', '') !== 'email'

const NotHere = () => (
  <Page title={say('register.title')}>
    <p>{say(facts.signup === 'invited' ? 'register.byInvitation' : 'register.closed')}</p>
    <ToLogin />
  </Page>
)

function SignupField(declared: string) {
  const name = declared.replace('*', '')
  if (name === 'password2') return null
  if (name === 'password1') return <PasswordField key={name} name={name} isNew />
  return <BuiltInField key={name} name={name} required={declared.endsWith('*')} />
}
