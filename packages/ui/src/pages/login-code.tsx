import { useState } from 'preact/hooks'
import { auth, continueAfter } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Captcha } from '../components/captcha.tsx'
import { CodeField } from '../components/code-field.tsx'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { ToLogin } from '../components/to-login.tsx'
import { identifierField } from '../identifier.ts'
import { say } from '../words.ts'

/** A login by a code in a mail: first the name, then the code. */
export function LoginCode() {
  const [session, setSession] = useState<string>(() => history.state?.code ?? '')
  // A reload keeps it, on the way back from the mailbox.
  const keep = (id: string) => {
    history.replaceState(id ? { code: id } : null, '')
    setSession(id)
  }
  const { name, label } = identifierField()
  if (session === '') {
    return (
      <Page title={say('code.title')}>
        <p>{say('code.text')}</p>
        <Form
          key="send"
          button={say('code.send')}
          submit={async (values) => keep((await auth.loginByCode.begin(values)).session_id)}
        >
          <Field name={name} label={label} autocomplete="username" autofocus />
          <Captcha on="code" />
        </Form>
        <ToLogin words="back" />
      </Page>
    )
  }
  return (
    <Page title={say('code.title')}>
      <p role="status">{say('code.sent')}</p>
      <Form
        key="confirm"
        button={say('login.title')}
        submit={async ({ code = '' }) => {
          const answer = await auth.loginByCode.confirm({ session_id: session, code })
          history.replaceState(null, '')
          await continueAfter(answer)
        }}
      >
        <CodeField />
      </Form>
      <Button kind="quiet" onClick={() => keep('')}>
        {say('code.startOver')}
      </Button>
    </Page>
  )
}
