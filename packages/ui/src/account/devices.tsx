import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Good, Trouble, useTask } from '../components/task.tsx'
import { goTo } from '../router.tsx'
import { say, sayDate } from '../words.ts'
import { whenFresh } from './ask-again.tsx'
import { deviceName } from './device-name.ts'
import { Section } from './section.tsx'
import { useLoaded } from './use-loaded.ts'

type Login = Awaited<ReturnType<typeof auth.sessions.list>>[number]

type Props = {
  /** How often a change in another section has signed out other devices. */
  endings: number
}

export function Devices({ endings }: Props) {
  const { value: logins, trouble, reload } = useLoaded(() => auth.sessions.list(), endings)
  const [isAlone, setAlone] = useState(false)
  const task = useTask()
  const end =
    ({ id, current }: Login) =>
    () =>
      task.run(async () => {
        setAlone(false)
        await whenFresh(() => auth.sessions.end(id))
        if (current) goTo('login')
        else await reload()
      })
  const endOthers = () =>
    task.run(async () => {
      setAlone(false)
      await whenFresh(() => auth.sessions.endOthers())
      setAlone(true)
      await reload()
    })
  return (
    <Section title={say('devices.title')}>
      <p>{say('devices.text')}</p>
      <Trouble words={trouble || task.trouble} />
      <Good words={isAlone ? say('devices.endedOthers') : ''} />
      <ul class="list">
        {logins?.map((login) => (
          <li key={login.id}>
            <div>
              {nameOf(login)}{' '}
              {login.current && <span class="badge good">{say('devices.current')}</span>}
              <p class="hint">
                {say('devices.used', { date: sayDate(login.last_used_at) })}
                {login.address && (
                  <>
                    {' · '}
                    <bdi dir="ltr">{login.address}</bdi>
                  </>
                )}
              </p>
            </div>
            {!login.current && (
              <Button
                busy={task.isBusy}
                label={say('devices.endOne', { device: nameOf(login) })}
                onClick={end(login)}
              >
                {say('devices.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {logins && logins.length > 1 && (
        <div class="actions">
          <Button busy={task.isBusy} onClick={endOthers}>
            {say('devices.endOthers')}
          </Button>
        </div>
      )}
    </Section>
  )
}

const nameOf = ({ method, user_agent }: Login): string =>
  method === 'token' ? say('devices.apiKey') : deviceName(user_agent ?? '')
