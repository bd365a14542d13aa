import { auth } from '../auth.ts'
import { Captcha } from '../components/captcha.tsx'
import { EmailField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { ToLogin } from '../components/to-login.tsx'
import { goTo } from '../router.tsx'
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
      <EmailField autofocus />
      <Captcha on="reset" />
    </Form>
    <ToLogin words="back" />
  </Page>
)
