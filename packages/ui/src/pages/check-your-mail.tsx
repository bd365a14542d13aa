import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Captcha } from '../components/captcha.tsx'
import { EmailField } from '../components/field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { Good } from '../components/task.tsx'
import { ToLogin } from '../components/to-login.tsx'
import { passedOn } from '../router.tsx'
import { say } from '../words.ts'

/** After a registration or a forgotten password, the user continues in their mailbox. */
export function CheckYourMail() {
  const [email, setEmail] = useState(() => passedOn('email'))
  const [about] = useState(() => new URLSearchParams(location.search).get('about'))
  const [isSent, setSent] = useState(false)
  const isReset = about === 'password'

  async function sendAgain(typed: Values) {
    setSent(false)
    await (isReset ? auth.password.reset : auth.email.resend)({ email, ...typed })
    setSent(true)
  }

  if (about === 'address' && !email) return <Unconfirmed onSent={setEmail} />
  return (
    <Page title={say('checkMail.title')}>
      <p>{email ? say('checkMail.textTo', { email }) : say('checkMail.text')}</p>
      <p class="hint">{say('checkMail.spam')}</p>
      <Good words={isSent ? say('checkMail.sentAgain') : ''} />
      <Form button={say('checkMail.again')} submit={sendAgain}>
        {!email && <EmailField />}
        {isReset && <Captcha on="reset" onDemand />}
      </Form>
      <ToLogin />
    </Page>
  )
}

/** After a login with the name of a user whose address is not confirmed. Nothing was sent yet. */
const Unconfirmed = ({ onSent }: { onSent(email: string): void }) => (
  <Page title={say('unconfirmed.title')}>
    <p>{say('unconfirmed.text')}</p>
    <Form
      button={say('forgot.button')}
      submit={async ({ email = '' }) => {
        await auth.email.resend({ email })
        onSent(email)
      }}
    >
      <EmailField />
    </Form>
    <ToLogin />
  </Page>
)
