import type { WaitingEvent, WaitingMail } from '../../../server/src/kernel/admin-answers.ts'
import { call } from './api.ts'
import { Results } from './components.tsx'
import { type Action, ActionButton } from './confirm.tsx'
import { Delivery } from './delivery.tsx'
import { Frame } from './frame.tsx'
import { Panel } from './panel.tsx'
import { usePages } from './use-pages.ts'
import { say } from './words.ts'

/** Mails and events that wait or were given up. */
export const Mail = () => (
  <Frame title={say('nav.mail')} below={<p class="hint">{say('mail.text')}</p>}>
    <Queue<WaitingMail>
      path="mails/"
      title={say('mail.mails')}
      empty={say('mail.noMails')}
      named={({ letter, to }) => [letter ?? say('mail.letter'), to]}
    />
    <Queue<WaitingEvent>
      path="events/"
      title={say('mail.events')}
      empty={say('mail.noEvents')}
      named={({ type, receiver }) => [type, receiver]}
    />
  </Frame>
)

type Props<T> = {
  path: string
  title: string
  empty: string
  /** What it is, and where it goes. */
  named(one: T): [what: string, to: string | null]
}

function Queue<T extends WaitingMail | WaitingEvent>({ path, title, empty, named }: Props<T>) {
  const pages = usePages<T>(path)
  const retry = (id: string): Pick<Action, 'run' | 'reload'> => ({
    run: (_, { reason }) => call('POST', `${path}${id}/retry/`, { body: { reason } }),
    reload: pages.reload,
  })
  const all = (
    <ActionButton
      words={say('mail.retryAll')}
      label={`${title}: ${say('mail.retryAll')}`}
      text={say('mail.retryAll.text')}
      {...retry('all')}
    />
  )
  return (
    <Panel title={title} beside={!!pages.results?.length && all}>
      <Results pages={pages} empty={empty}>
        <ul class="rows">
          {pages.results?.map((one) => (
            <Delivery key={one.id} {...one} named={named(one)} retry={retry(one.id)} />
          ))}
        </ul>
      </Results>
    </Panel>
  )
}
