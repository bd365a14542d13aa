import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { AnyCodeField } from '../components/code-field.tsx'
import { Form } from '../components/form.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { say } from '../words.ts'
import { whenFresh } from './ask-again.tsx'
import { Question } from './ask-first.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Section } from './section.tsx'
import { SetUpApp } from './set-up-app.tsx'
import { useLoaded } from './use-loaded.ts'

type Props = {
  /** The user has set it up, and has saved the recovery codes. */
  onSaved?(): unknown
  /** Before they can set it up, the user must confirm their address. */
  onUnproved?: (() => void) | undefined
  /** The other devices are signed out. */
  onOthersEnded?(): void
}

export function SecondFactor({ onSaved, onUnproved, onOthersEnded }: Props) {
  const { value: status, trouble, reload } = useLoaded(() => auth.mfa.status())
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const finish = async (made: readonly string[] | null) => {
    setCodes(made)
    await reload()
    if (made === null) await onSaved?.()
    else onOthersEnded?.()
  }
  return (
    <Section title={say('mfa.title')}>
      <Trouble words={trouble} />
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => finish(null)} />
      ) : status?.mfa_enabled ? (
        <WhenOn
          left={status.recovery_codes_left}
          onCodes={setCodes}
          onOff={() => reload().then(onOthersEnded)}
        />
      ) : (
        status && <SetUpApp onOn={finish} onUnproved={onUnproved} />
      )}
    </Section>
  )
}

type OnProps = { left: number; onCodes(codes: readonly string[]): void; onOff(): Promise<void> }

function WhenOn({ left, onCodes, onOff }: OnProps) {
  const [isLeaving, setLeaving] = useState(false)
  const [isRenewing, setRenewing] = useState(false)
  const { isBusy, trouble, run } = useTask()
  const show = async (load: () => Promise<{ codes: readonly string[] }>) =>
    onCodes((await whenFresh(load)).codes)
  if (isRenewing) {
    return (
      <Question
        button={say('mfa.codes.renew')}
        text={say('mfa.codes.renewText')}
        run={() => show(() => auth.mfa.regenerateRecoveryCodes())}
        onCancel={() => setRenewing(false)}
      />
    )
  }
  if (isLeaving) {
    return (
      <>
        <p>{say('mfa.turnOffText')}</p>
        <Form
          danger
          button={say('mfa.turnOff')}
          submit={async ({ code = '' }) => {
            await whenFresh(() => auth.mfa.deactivate({ code }))
            await onOff()
          }}
          onCancel={() => setLeaving(false)}
        >
          <AnyCodeField />
        </Form>
      </>
    )
  }
  return (
    <>
      <p>{say('mfa.on', { count: left })}</p>
      <Trouble words={trouble} />
      <div class="actions">
        <Button busy={isBusy} onClick={() => run(() => show(() => auth.mfa.recoveryCodes()))}>
          {say('mfa.codes.show')}
        </Button>
        <Button onClick={() => setRenewing(true)}>{say('mfa.codes.renew')}</Button>
        <Button kind="danger" onClick={() => setLeaving(true)}>
          {say('mfa.turnOff')}
        </Button>
      </div>
    </>
  )
}
