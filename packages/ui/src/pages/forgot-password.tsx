import { auth } from '../auth.ts'
import { Captcha } from '../components/captcha.tsx'
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
      submit={async ({ email = '', ...rest }) => {
        await auth.password.reset({ email, ...rest })
        goTo('check-your-mail', { email }, { about: 'password' })
      }}
    >
      <Field name="email" label={say('field.email')} type="email" autocomplete="email" autofocus />
      <Captcha on="reset" />
    </Form>
    <p class="foot">
      <Link to="login">{say('back')}</Link>
    </p>
  </Page>
)
