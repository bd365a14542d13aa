import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Captcha } from '../components/captcha.tsx'
import { Field } from '../components/field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { Good } from '../components/task.tsx'
import { Link, passedOn } from '../router.tsx'
import { say } from '../words.ts'

/** After a registration or a forgotten password, the user continues in their mailbox. */
export function CheckYourMail() {
  const [email] = useState(() => passedOn('email'))
  const [isReset] = useState(() => new URLSearchParams(location.search).get('about') === 'password')
  const [isSent, setSent] = useState(false)

  async function sendAgain(typed: Values) {
    await (isReset ? auth.password.reset : auth.email.resend)({ email, ...typed })
    setSent(true)
  }

  return (
    <Page title={say('checkMail.title')}>
      <p>{email ? say('checkMail.textTo', { email }) : say('checkMail.text')}</p>
      <p class="hint">{say('checkMail.spam')}</p>
      <Good words={isSent ? say('checkMail.sentAgain') : ''} />
      <Form button={say('checkMail.again')} submit={sendAgain}>
        {!email && (
          <Field name="email" label={say('field.email')} type="email" autocomplete="email" />
        )}
        {isReset && <Captcha on="reset" onDemand />}
      </Form>
      <p class="foot">
        <Link to="login">{say('toLogin')}</Link>
      </p>
    </Page>
  )
}
