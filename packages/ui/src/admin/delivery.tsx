import { Badge, Time } from './components.tsx'
import { type Action, ActionButton } from './confirm.tsx'
import { say } from './words.ts'

/** Whether something still waits to be delivered, or was given up. */
export const DeliveryState = ({ state }: { state: string }) => (
  <Badge tone={state === 'dead' ? 'bad' : 'plain'}>
    {say(state === 'dead' ? 'mail.dead' : 'mail.queued')}
  </Badge>
)

type Props = {
  named: [what: string, to: string | null]
  state: string
  attempts: number
  created_at: string
  retry: Pick<Action, 'run' | 'reload'>
}

/** A mail or an event that is not delivered yet. */
export const Delivery = ({ named: [title, to], state, attempts, created_at, retry }: Props) => (
  <li class="row">
    <span class="who">
      <strong>
        <bdi>{title}</bdi>
      </strong>
      <span class="hint">
        <bdi>{to}</bdi>
      </span>
    </span>
    <span class="badges">
      <DeliveryState state={state} />
      <span class="hint">{say('mail.attempts', { count: attempts })}</span>
    </span>
    <span class="when">
      <Time at={created_at} />
    </span>
    <ActionButton words={say('mail.retry')} text={say('mail.retry.text', { title })} {...retry} />
  </li>
)
