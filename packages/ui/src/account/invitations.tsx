import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { EmailField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { say, sayDate } from '../words.ts'
import { Section } from './section.tsx'
import { useLoaded } from './use-loaded.ts'

type Invitation = Awaited<ReturnType<typeof auth.invitations.list>>[number]

/** Whom the user has invited, and a form to invite others. */
export function Invitations() {
  const { value: invitations, trouble, reload } = useLoaded(() => auth.invitations.list())
  const [sent, setSent] = useState(0)
  return (
    <Section title={say('invite.title')}>
      <p>{say('invite.text')}</p>
      <Trouble words={trouble} />
      <ul class="list">
        {invitations?.map((one) => (
          <Row key={one.id} of={one} reload={reload} />
        ))}
      </ul>
      <Form
        // An empty form again after each invitation.
        key={sent}
        button={say('invite.button')}
        submit={async ({ email = '' }) => {
          await auth.invitations.create({ email })
          await reload()
          setSent(sent + 1)
        }}
      >
        <EmailField autocomplete="off" />
      </Form>
    </Section>
  )
}

type RowProps = { of: Invitation; reload(): Promise<void> }

function Row({ of: { id, email, expires_at }, reload }: RowProps) {
  const { isBusy, trouble, run } = useTask()
  return (
    <li>
      <div>
        {email}
        <p class="hint">{say('invite.until', { date: sayDate(expires_at) })}</p>
        <Trouble words={trouble} />
      </div>
      <div class="actions">
        <Button
          busy={isBusy}
          label={say('invite.resendOne', { email })}
          onClick={() => run(() => auth.invitations.resend(id).then(reload))}
        >
          {say('invite.resend')}
        </Button>
        <Button
          kind="danger"
          busy={isBusy}
          label={say('invite.revokeOne', { email })}
          onClick={() => run(() => auth.invitations.revoke(id).then(reload))}
        >
          {say('invite.revoke')}
        </Button>
      </div>
    </li>
  )
}
