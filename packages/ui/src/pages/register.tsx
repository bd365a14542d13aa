import { auth, continueAfter } from '../auth.ts'
import { Field } from '../components/field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { Or } from '../components/or.tsx'
import { Page } from '../components/page.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { SocialButtons } from '../components/social-buttons.tsx'
import { typedValue, UserFieldInput } from '../components/user-field.tsx'
import { facts } from '../facts.ts'
import { goTo, Link } from '../router.tsx'
import { type Key, say } from '../words.ts'

const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  username: 'username',
  email: 'email',
  first_name: 'given-name',
  last_name: 'family-name',
}

export function Register() {
  const extra = Object.entries(facts.userFields).filter(([, { signup }]) => signup)

  async function register(values: Values) {
    const { email = '', password1 = '' } = values
    const fields = extra.map(([name, field]) => [name, typedValue(field, values[name])])
    const answer = await auth.register({
      ...values,
      ...Object.fromEntries(fields),
      password1,
      // People see what they type if they like, so they need not type it twice.
      password2: password1,
    })
    if ('detail' in answer) goTo('check-your-mail', { email })
    else continueAfter(answer)
  }

  return (
    <Page title={say('register.title')}>
      <Form button={say('register.button')} submit={register}>
        {facts.signupFields.map(SignupField)}
        {extra.map(([name, field]) => (
          <UserFieldInput key={name} name={name} field={field} value={null} />
        ))}
      </Form>
      {facts.providers.length > 0 && <Or />}
      <div class="stack choices">
        <SocialButtons />
      </div>
      <p class="foot">
        {say('register.hasAccount')} <Link to="login">{say('register.login')}</Link>
      </p>
    </Page>
  )
}

function SignupField(declared: string) {
  const name = declared.replace('*', '')
  if (name === 'password2') return null
  if (name === 'password1') return <PasswordField key={name} name={name} isNew />
  return (
    <Field
      key={name}
      name={name}
      label={say(`field.${name}` as Key)}
      type={name === 'email' ? 'email' : 'text'}
      autocomplete={AUTOCOMPLETE[name]}
      required={declared.endsWith('*')}
    />
  )
}
