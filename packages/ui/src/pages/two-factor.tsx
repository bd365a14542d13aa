import { useEffect, useState } from 'preact/hooks'
import { auth, continueAfter } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { CodeField } from '../components/code-field.tsx'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Page } from '../components/page.tsx'
import { facts } from '../facts.ts'
import { goTo, passedOn } from '../router.tsx'
import { say } from '../words.ts'

/** The second step of a login. A reload forgets the first one, so the login starts again. */
export function TwoFactor() {
  const [token] = useState(() => passedOn('token'))
  const [next] = useState(() => passedOn('next'))
  const [usesApp, setUsesApp] = useState(true)
  useEffect(() => {
    if (token === '') goTo('login')
  }, [token])
  const text = usesApp ? 'twoFactor.text' : 'twoFactor.recoveryText'
  return (
    <Page title={say('twoFactor.title')}>
      <p>{say(text, { site: facts.site })}</p>
      <Form
        button={say('twoFactor.button')}
        submit={async ({ code = '' }) =>
          continueAfter(await auth.mfa.verify({ ephemeral_token: token, code }), next || null)
        }
      >
        {usesApp ? (
          <CodeField />
        ) : (
          <Field name="code" label={say('twoFactor.recoveryCode')} autocomplete="off" autofocus />
        )}
      </Form>
      <Button kind="quiet" onClick={() => setUsesApp(!usesApp)}>
        {say(usesApp ? 'twoFactor.useRecovery' : 'twoFactor.useApp')}
      </Button>
    </Page>
  )
}
