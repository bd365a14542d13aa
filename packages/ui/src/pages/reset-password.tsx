import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Form } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { isAbout } from '../problem.ts'
import { Link } from '../router.tsx'
import { say } from '../words.ts'

type Props = { uid: string; token: string }

/** The service shows this page only for a link that works. */
export function ResetPassword({ uid, token }: Props) {
  const [isDone, setDone] = useState(false)
  if (isDone) {
    return (
      <Page title={say('reset.done.title')}>
        <p>{say('reset.done.text')}</p>
        <Link to="login" class="button primary">
          {say('toLogin')}
        </Link>
      </Page>
    )
  }
  return (
    <Page title={say('reset.title')}>
      <Form
        button={say('reset.button')}
        submit={async ({ new_password2 = '' }) => {
          const typed = { new_password1: new_password2, new_password2 }
          try {
            await auth.password.confirmReset({ uid, token, ...typed })
            setDone(true)
          } catch (error) {
            if (!isAbout(error, 'uid', 'token')) throw error
            // It was used or has expired meanwhile. The service has a page for that.
            location.reload()
          }
        }}
      >
        <PasswordField name="new_password2" label={say('password.new')} isNew />
      </Form>
    </Page>
  )
}
