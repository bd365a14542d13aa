import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { CodeField } from '../components/code-field.tsx'
import { Form } from '../components/form.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { say } from '../words.ts'
import { whenFresh } from './ask-again.tsx'

type Setup = Awaited<ReturnType<typeof auth.mfa.begin>>

/** Turns the second step on, with an authenticator app. */
export function SetUpApp({ onOn }: { onOn(codes: readonly string[]): void }) {
  const [setup, setSetup] = useState<Setup | null>(null)
  const { isBusy, trouble, run } = useTask()
  const begin = () => run(async () => setSetup(await whenFresh(() => auth.mfa.begin())))
  if (!setup) {
    return (
      <>
        <p>{say('mfa.off')}</p>
        <Trouble words={trouble} />
        <div class="actions">
          <Button busy={isBusy} onClick={begin}>
            {say('mfa.turnOn')}
          </Button>
        </div>
      </>
    )
  }
  const { qr_code_data_uri, totp_url, secret, activation_token } = setup
  return (
    <>
      <p>{say('mfa.scan')}</p>
      <img class="qr" src={qr_code_data_uri} alt={say('mfa.qr')} />
      <p class="by-touch">
        <a href={totp_url}>{say('mfa.openApp')}</a>
      </p>
      <p class="hint">
        {say('mfa.manual')} <code>{secret}</code>
      </p>
      <Form
        button={say('mfa.activate')}
        submit={async ({ code = '' }) => {
          const { recovery_codes } = await whenFresh(() =>
            auth.mfa.activate({ activation_token, code }),
          )
          onOn(recovery_codes)
        }}
        onCancel={() => setSetup(null)}
      >
        <CodeField />
      </Form>
    </>
  )
}
