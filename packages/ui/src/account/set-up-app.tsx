import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { CodeField } from '../components/code-field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { facts } from '../facts.ts'
import { hasCode, isAbout } from '../problem.ts'
import { say } from '../words.ts'
import { whenFresh } from './ask-again.tsx'

type Setup = Awaited<ReturnType<typeof auth.mfa.begin>>

type Props = {
  onOn(codes: readonly string[]): void
  /** The address must be confirmed first. Without it, the refusal is shown. */
  onUnproved?: (() => void) | undefined
}

/** Turns the second step on, with an authenticator app. */
export function SetUpApp({ onOn, onUnproved }: Props) {
  const [setup, setSetup] = useState<Setup | null>(null)
  const { isBusy, trouble, run, setTrouble } = useTask()
  const begin = () =>
    run(async () => {
      try {
        setSetup(await whenFresh(() => auth.mfa.begin()))
      } catch (error) {
        if (!onUnproved || !hasCode(error, 'verify_email_first')) throw error
        onUnproved()
      }
    })
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
  async function activate({ code = '' }: Values) {
    try {
      const turnOn = () => auth.mfa.activate({ activation_token, code })
      onOn((await whenFresh(turnOn)).recovery_codes)
    } catch (error) {
      // The answer to the first attempt was lost, or another tab was faster. The admin API has no codes.
      if (hasCode(error, 'mfa_already_enabled') && !facts.admin) {
        return onOn((await whenFresh(() => auth.mfa.recoveryCodes())).codes)
      }
      if (!isAbout(error, 'activation_token')) throw error
      // No code can succeed any more.
      setSetup(null)
      setTrouble(say('mfa.late'))
    }
  }
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
      <Form button={say('mfa.activate')} submit={activate} onCancel={() => setSetup(null)}>
        <CodeField />
      </Form>
    </>
  )
}
