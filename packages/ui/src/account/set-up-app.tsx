import { useRef, useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { CodeField } from '../components/code-field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { facts } from '../facts.ts'
import { hasCode, isAbout, isUnanswered } from '../problem.ts'
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
  /** The activation whose answer was lost. It may have succeeded. */
  const lost = useRef('')
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
      if (isUnanswered(error)) lost.current = activation_token
      // Otherwise another tab has turned it on, with another secret. The admin API has no codes.
      const isOurs = lost.current === activation_token && !facts.admin
      if (isOurs && hasCode(error, 'mfa_already_enabled')) {
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
