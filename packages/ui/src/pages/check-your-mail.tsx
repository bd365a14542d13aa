import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { Good } from '../components/task.tsx'
import { Link, passedOn } from '../router.tsx'
import { say } from '../words.ts'

/** After a registration or a forgotten password, the user continues in their mailbox. */
export function CheckYourMail() {
  const [email] = useState(() => passedOn('email'))
  const [isReset] = useState(() => passedOn('about') === 'password')
  const [isSent, setSent] = useState(false)

  async function sendAgain(typed: string) {
    await (isReset ? auth.password.reset : auth.email.resend)({ email: typed || email })
    setSent(true)
  }

  return (
    <Page title={say('checkMail.title')}>
      <p>{email ? say('checkMail.textTo', { email }) : say('checkMail.text')}</p>
      <p class="hint">{say('checkMail.spam')}</p>
      <Good words={isSent ? say('checkMail.sentAgain') : ''} />
      <Form button={say('checkMail.again')} submit={({ email: typed = '' }) => sendAgain(typed)}>
        {!email && (
          <Field name="email" label={say('field.email')} type="email" autocomplete="email" />
        )}
      </Form>
      <p class="foot">
        <Link to="login">{say('toLogin')}</Link>
      </p>
    </Page>
  )
}
