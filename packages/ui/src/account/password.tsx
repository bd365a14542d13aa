import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Form } from '../components/form.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { Good } from '../components/task.tsx'
import { Username } from '../components/username.tsx'
import { facts } from '../facts.ts'
import { say } from '../words.ts'
import { whenFresh } from './ask-again.tsx'
import { Section } from './section.tsx'

type Props = {
  username: string
  /** The other devices are signed out. */
  onOthersEnded(): void
}

export function Password({ username, onOthersEnded }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [isDone, setDone] = useState(false)
  return (
    <Section title={say('passwordSection.title')}>
      <Good words={isDone ? say('passwordSection.done') : ''} />
      {isOpen ? (
        <Form
          button={say('reset.button')}
          submit={async ({ new_password2 = '', ...old }) => {
            setDone(false)
            const typed = { ...old, new_password1: new_password2, new_password2 }
            await whenFresh(() => auth.password.change(typed))
            setDone(true)
            setOpen(false)
            onOthersEnded()
          }}
          onCancel={() => setOpen(false)}
        >
          <Username value={username} />
          {facts.asksOldPassword && (
            <PasswordField name="old_password" label={say('password.current')} autofocus />
          )}
          <PasswordField name="new_password2" label={say('password.new')} isNew autofocus />
        </Form>
      ) : (
        <>
          <p>{say('passwordSection.text')}</p>
          <div class="actions">
            <Button onClick={() => setOpen(true)}>{say('passwordSection.change')}</Button>
          </div>
        </>
      )}
    </Section>
  )
}
