import { call } from './api.ts'
import { Badge, Time } from './components.tsx'
import { ActionButton } from './confirm.tsx'
import { say } from './words.ts'

/** Whether something still waits to be delivered, or was given up. */
export const DeliveryState = ({ state }: { state: string }) => (
  <Badge tone={state === 'dead' ? 'bad' : 'plain'}>
    {say(state === 'dead' ? 'mail.dead' : 'mail.queued')}
  </Badge>
)

type Props = {
  title: string
  to: string
  state: string
  attempts: number
  at: string
  /** The path of the API that delivers it again. */
  retry: string
  reload(): unknown
}

/** A mail or an event that is not delivered yet. */
export const Delivery = ({ title, to, state, attempts, at, retry, reload }: Props) => (
  <li class="row">
    <span class="who">
      <strong>{title}</strong>
      <span class="hint">{to}</span>
    </span>
    <span class="badges">
      <DeliveryState state={state} />
      <span class="hint">{say('mail.attempts', { count: attempts })}</span>
    </span>
    <span class="when">
      <Time at={at} />
    </span>
    <ActionButton
      words={say('mail.retry')}
      text={say('mail.retry.text', { title })}
      run={async () => {
        await call('POST', retry)
        await reload()
      }}
    />
  </li>
)
