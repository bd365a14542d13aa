import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { AnyCodeField } from '../components/code-field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { Username } from '../components/username.tsx'
import { hasModule } from '../facts.ts'
import { say } from '../words.ts'
import { whenFresh } from './ask-again.tsx'
import { ProofField } from './proof-field.tsx'
import { Section } from './section.tsx'

type Props = { username: string; onLeft(): void }

export function Leaving({ username, onLeft }: Props) {
  const [asks, setAsks] = useState<{ code: boolean } | null>(null)
  const { isBusy, trouble, run } = useTask()
  const begin = () => run(async () => setAsks({ code: await hasSecondFactor() }))
  const leave = async ({ password = '', code = '' }: Values) => {
    // Not everybody has both.
    const proof = { ...(password && { password }), ...(code && { code }) }
    await whenFresh(() => auth.account.delete(proof))
    onLeft()
  }
  return (
    <Section title={say('leave.title')}>
      <p>{say('leave.text')}</p>
      <Trouble words={trouble} />
      {asks ? (
        <Form danger button={say('leave.button')} submit={leave} onCancel={() => setAsks(null)}>
          <Username value={username} />
          <ProofField autofocus />
          {asks.code && <AnyCodeField />}
        </Form>
      ) : (
        <div class="actions">
          <Button kind="danger" busy={isBusy} onClick={begin}>
            {say('leave.start')}
          </Button>
        </div>
      )}
    </Section>
  )
}

const hasSecondFactor = async (): Promise<boolean> =>
  hasModule('mfa') && (await auth.mfa.status()).mfa_enabled
