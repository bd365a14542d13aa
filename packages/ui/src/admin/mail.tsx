import { Results } from './components.tsx'
import { Delivery } from './delivery.tsx'
import { Frame } from './frame.tsx'
import { Panel } from './panel.tsx'
import type { EventRow, MailRow } from './shapes.ts'
import { usePages } from './use-pages.ts'
import { say } from './words.ts'

/** Mails and events that wait or were given up. */
export function Mail() {
  const mails = usePages<MailRow>('mails/')
  const events = usePages<EventRow>('events/')
  return (
    <Frame title={say('nav.mail')} below={<p class="hint">{say('mail.text')}</p>}>
      <Panel title={say('mail.mails')}>
        <Results pages={mails} empty={say('mail.noMails')}>
          <ul class="rows">
            {mails.results?.map(({ id, kind, to, created_at, ...mail }) => (
              <Delivery
                key={id}
                {...mail}
                title={kind ?? say('mail.letter')}
                to={to ?? ''}
                at={created_at}
                retry={`mails/${id}/retry/`}
                reload={mails.reload}
              />
            ))}
          </ul>
        </Results>
      </Panel>
      <Panel title={say('mail.events')}>
        <Results pages={events} empty={say('mail.noEvents')}>
          <ul class="rows">
            {events.results?.map(({ id, event, receiver, created_at, ...line }) => (
              <Delivery
                key={id}
                {...line}
                title={event}
                to={receiver}
                at={created_at}
                retry={`events/${id}/retry/`}
                reload={events.reload}
              />
            ))}
          </ul>
        </Results>
      </Panel>
    </Frame>
  )
}
