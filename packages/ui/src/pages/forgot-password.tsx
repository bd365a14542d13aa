import { auth } from '../auth.ts'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { goTo, Link } from '../router.tsx'
import { say } from '../words.ts'

export const ForgotPassword = () => (
  <Page title={say('forgot.title')}>
    <p>{say('forgot.text')}</p>
    <Form
      button={say('forgot.button')}
      submit={async ({ email = '' }) => {
        await auth.password.reset({ email })
        goTo('check-your-mail', { email, about: 'password' })
      }}
    >
      <Field name="email" label={say('field.email')} type="email" autocomplete="email" autofocus />
    </Form>
    <p class="foot">
      <Link to="login">{say('back')}</Link>
    </p>
  </Page>
)
