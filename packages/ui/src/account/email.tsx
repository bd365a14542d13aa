import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { EmailField } from '../components/field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { Good, Trouble, useTask } from '../components/task.tsx'
import { hasModule } from '../facts.ts'
import { say } from '../words.ts'
import { whenFresh } from './ask-again.tsx'
import { ProofField } from './proof-field.tsx'
import { Section } from './section.tsx'
import { useLoaded } from './use-loaded.ts'

export function Email() {
  const { value: state, trouble, reload } = useLoaded(() => auth.email.get())
  const [isOpen, setOpen] = useState(false)
  const task = useTask()
  const [isSent, setSent] = useState(false)
  if (!state) {
    return (
      <Section title={say('email.title')}>
        <Trouble words={trouble} />
      </Section>
    )
  }
  const { email, verified, pending } = state
  const mayVerify = hasModule('registration') && email !== '' && !verified && !isSent

  const change = async ({ email: wanted = '', password = '' }: Values) => {
    setSent(false)
    // Not everybody has one.
    const proof = password === '' ? {} : { password }
    await whenFresh(() => auth.email.change({ email: wanted, ...proof }))
    setOpen(false)
    await reload()
  }
  const withdraw = () =>
    task.run(() => {
      setSent(false)
      return auth.email.cancelChange().then(reload)
    })
  const verify = () =>
    task.run(async () => {
      await auth.email.resend({ email })
      setSent(true)
    })

  return (
    <Section title={say('email.title')}>
      <p>
        {email ? say('email.now', { email }) : say('email.none')}{' '}
        {email && (
          <span class={`badge ${verified ? 'good' : 'bad'}`}>
            {say(verified ? 'email.verified' : 'email.unverified')}
          </span>
        )}
      </p>
      <Trouble words={trouble || task.trouble} />
      <Good words={isSent ? say('account.verifySent') : ''} />
      <Good words={pending ? say('email.pending', { email: pending }) : ''} />
      {isOpen ? (
        <Form button={say('forgot.button')} submit={change} onCancel={() => setOpen(false)}>
          <EmailField label={say('email.new')} autofocus />
          <ProofField />
        </Form>
      ) : (
        <div class="actions">
          {mayVerify && (
            <Button busy={task.isBusy} onClick={verify}>
              {say('account.verify')}
            </Button>
          )}
          {pending && (
            <Button busy={task.isBusy} onClick={withdraw}>
              {say('email.drop')}
            </Button>
          )}
          <Button onClick={() => setOpen(true)}>{say('email.change')}</Button>
        </div>
      )}
    </Section>
  )
}
