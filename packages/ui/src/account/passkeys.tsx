import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { isOfBrowser } from '../problem.ts'
import { say, sayDate } from '../words.ts'
import { whenFresh } from './ask-again.tsx'
import { AskFirst } from './ask-first.tsx'
import { thisDevice } from './device-name.ts'
import { Section } from './section.tsx'
import { useLoaded } from './use-loaded.ts'

type Passkey = Awaited<ReturnType<typeof auth.passkeys.list>>[number]

/** With `onDecline`, it is an offer, which users can decline. */
export function Passkeys({ onDecline }: { onDecline?: () => void }) {
  const { value: passkeys, trouble, reload } = useLoaded(() => auth.passkeys.list())
  return (
    <Section title={say('passkeys.title')}>
      <p>{say('passkeys.text')}</p>
      <Trouble words={trouble} />
      <ul class="list">
        {passkeys?.map((passkey) => (
          <Row key={passkey.id} passkey={passkey} reload={reload} />
        ))}
      </ul>
      {auth.passkeys.isSupported() ? (
        <AddPasskey onAdded={reload}>
          {onDecline && passkeys?.length === 0 && (
            <Button onClick={onDecline}>{say('passkeys.notNow')}</Button>
          )}
        </AddPasskey>
      ) : (
        <p class="hint">{say('passkeys.unsupported')}</p>
      )}
    </Section>
  )
}

type RowProps = { passkey: Passkey; reload(): Promise<void> }

function Row({ passkey: { id, name, created_at, last_used_at }, reload }: RowProps) {
  const [isNaming, setNaming] = useState(false)
  const remove = () => whenFresh(() => auth.passkeys.delete(id)).then(reload)
  if (isNaming) {
    return (
      <li>
        <Form
          button={say('save')}
          submit={async ({ name: typed = '' }) => {
            await auth.passkeys.rename(id, { name: typed })
            await reload()
            setNaming(false)
          }}
          onCancel={() => setNaming(false)}
        >
          <Field name="name" label={say('passkeys.name')} defaultValue={name} autofocus />
        </Form>
      </li>
    )
  }
  return (
    <li>
      <div>
        <bdi>{name}</bdi>
        <p class="hint">
          {last_used_at
            ? say('passkeys.used', { date: sayDate(last_used_at) })
            : say('passkeys.added', { date: sayDate(created_at) })}
        </p>
      </div>
      <AskFirst
        button={say('passkeys.remove')}
        label={say('passkeys.removeOne', { name })}
        text={say('passkeys.removeText', { name })}
        run={remove}
      >
        <Button label={say('passkeys.renameOne', { name })} onClick={() => setNaming(true)}>
          {say('passkeys.rename')}
        </Button>
      </AskFirst>
    </li>
  )
}

type AddProps = { onAdded(): Promise<void> | void; children?: ComponentChildren }

export function AddPasskey({ onAdded, children }: AddProps) {
  const { isBusy, trouble, run, setTrouble } = useTask()
  const add = () =>
    run(async () => {
      try {
        await whenFresh(() => auth.passkeys.register({ name: thisDevice() }))
        await onAdded()
      } catch (error) {
        if (!isOfBrowser(error)) throw error
        const exists = error.code === 'InvalidStateError'
        setTrouble(say(exists ? 'passkeys.exists' : 'passkeys.failed'))
      }
    })
  return (
    <>
      <Trouble words={trouble} />
      <div class="actions">
        <Button busy={isBusy} onClick={add}>
          {say('passkeys.add')}
        </Button>
        {children}
      </div>
    </>
  )
}
