import { useEffect } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { providerNamed, redirecting } from '../facts.ts'
import { uniqueValues } from '../identifier.ts'
import { passedOn } from '../router.tsx'
import { startRedirect } from '../social.ts'
import { say, sayDate } from '../words.ts'
import { whenFresh } from './ask-again.tsx'
import { AskFirst } from './ask-first.tsx'
import type { User } from './profile.tsx'
import { Section } from './section.tsx'
import { useLoaded } from './use-loaded.ts'

/** Also connects the provider that a user has just come back from: this page can ask them again who they are. */
export function Connected({ user }: { user: User }) {
  const { value: accounts, trouble, reload } = useLoaded(() => auth.social.list())
  const task = useTask()
  useEffect(() => {
    const [name, proof] = [passedOn('connect'), passedOn('proof')]
    const connect = () => auth.social.connect(name, JSON.parse(proof))
    if (name === '') return
    // Somebody else may have signed in meanwhile, in another tab.
    if (passedOn('user') !== uniqueValues(user)) task.setTrouble(say('callback.foreign'))
    else task.run(() => whenFresh(connect).then(reload))
  }, [])
  const disconnect = (id: number) => () => whenFresh(() => auth.social.disconnect(id)).then(reload)
  const connected = accounts?.map(({ provider }) => provider) ?? []
  const others = redirecting.filter(({ name }) => !connected.includes(name))
  return (
    <Section title={say('connected.title')}>
      <p>{say('connected.text')}</p>
      <Trouble words={trouble || task.trouble} />
      <ul class="list">
        {accounts?.map(({ id, provider, date_joined }) => {
          const title = providerNamed(provider)?.title ?? provider
          return (
            <li key={id}>
              <div>
                <bdi>{title}</bdi>
                <p class="hint">{say('connected.since', { date: sayDate(date_joined) })}</p>
              </div>
              <AskFirst
                button={say('connected.disconnect')}
                label={say('connected.disconnectOne', { provider: title })}
                text={say('connected.disconnectText', { provider: title })}
                run={disconnect(id)}
              />
            </li>
          )
        })}
      </ul>
      {accounts && others.length > 0 && (
        <div class="actions">
          {others.map((provider) => (
            <Button
              key={provider.name}
              onClick={() =>
                startRedirect(provider, 'connect', uniqueValues(user)).then(task.setTrouble)
              }
            >
              {say('connected.connect', { provider: provider.title })}
            </Button>
          ))}
        </div>
      )}
    </Section>
  )
}
