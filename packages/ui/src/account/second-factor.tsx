import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { CodeField } from '../components/code-field.tsx'
import { Form } from '../components/form.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { say } from '../words.ts'
import { whenFresh } from './ask-again.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Section } from './section.tsx'
import { useLoaded } from './use-loaded.ts'

type Setup = Awaited<ReturnType<typeof auth.mfa.begin>>

export function SecondFactor() {
  const { value: status, trouble, reload } = useLoaded(() => auth.mfa.status())
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const finish = async (made: readonly string[] | null) => {
    setCodes(made)
    await reload()
  }
  return (
    <Section title={say('mfa.title')}>
      <Trouble words={trouble} />
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => finish(null)} />
      ) : status?.mfa_enabled ? (
        <WhenOn left={status.recovery_codes_left} onCodes={setCodes} onOff={reload} />
      ) : (
        status && <WhenOff onOn={finish} />
      )}
    </Section>
  )
}

function WhenOff({ onOn }: { onOn(codes: readonly string[]): void }) {
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
  const { qr_code_data_uri, secret, activation_token } = setup
  return (
    <>
      <p>{say('mfa.scan')}</p>
      <img class="qr" src={qr_code_data_uri} alt={say('mfa.qr')} />
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

type OnProps = { left: number; onCodes(codes: readonly string[]): void; onOff(): Promise<void> }

function WhenOn({ left, onCodes, onOff }: OnProps) {
  const [isLeaving, setLeaving] = useState(false)
  const { isBusy, trouble, run } = useTask()
  const show = (load: () => Promise<{ codes: readonly string[] }>) => () =>
    run(async () => onCodes((await whenFresh(load)).codes))
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
          <CodeField />
        </Form>
      </>
    )
  }
  return (
    <>
      <p>{say('mfa.on', { count: left })}</p>
      <Trouble words={trouble} />
      <div class="actions">
        <Button busy={isBusy} onClick={show(() => auth.mfa.recoveryCodes())}>
          {say('mfa.codes.show')}
        </Button>
        <Button busy={isBusy} onClick={show(() => auth.mfa.regenerateRecoveryCodes())}>
          {say('mfa.codes.renew')}
        </Button>
        <Button kind="danger" onClick={() => setLeaving(true)}>
          {say('mfa.turnOff')}
        </Button>
      </div>
    </>
  )
}
