import { useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Field, Labelled } from '../components/field.tsx'
import { Form, type Values } from '../components/form.tsx'
import { chosenScopes, ScopesField } from '../components/scopes-field.tsx'
import { Secret } from '../components/secret.tsx'
import { Trouble } from '../components/task.tsx'
import { facts } from '../facts.ts'
import { say, sayDate, sayUnits } from '../words.ts'
import { whenFresh } from './ask-again.tsx'
import { AskFirst } from './ask-first.tsx'
import { Section } from './section.tsx'
import { useLoaded } from './use-loaded.ts'

type ApiKey = Awaited<ReturnType<typeof auth.apiKeys.list>>[number]

const DAY_MS = 86_400_000

/** The keys that the user has made for programs. */
export function ApiKeys() {
  const { value: keys, trouble, reload } = useLoaded(() => auth.apiKeys.list())
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState('')

  const create = async ({ name = '', days = '', ...values }: Values) => {
    const scopes = chosenScopes(facts.apiKeyScopes, values)
    const { key } = await whenFresh(() =>
      auth.apiKeys.create({ name, scopes, ...(days && { expires_at: endAfter(Number(days)) }) }),
    )
    setMade(key)
    setMaking(false)
    await reload()
  }
  return (
    <Section title={say('keys.title')}>
      <p>{say('keys.text')}</p>
      <Trouble words={trouble} />
      {made && (
        <>
          <h3>{say('keys.made')}</h3>
          <Secret text={say('keys.made.text')} value={made} onDone={() => setMade('')} />
        </>
      )}
      <ul class="list">
        {keys?.map((key) => (
          <Row key={key.id} of={key} reload={reload} />
        ))}
      </ul>
      {isMaking ? (
        <Form button={say('keys.create')} submit={create} onCancel={() => setMaking(false)}>
          <Field name="name" label={say('keys.name')} autocomplete="off" autofocus />
          <ScopesField scopes={facts.apiKeyScopes} label={labelOf} />
          <Lifetime />
        </Form>
      ) : (
        !made && (
          <div class="actions">
            <Button onClick={() => setMaking(true)}>{say('keys.create')}</Button>
          </div>
        )
      )}
    </Section>
  )
}

const endAfter = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()

/** The scopes of the site have no words but their names. */
const labelOf = (scope: string): string => (scope === 'user:read' ? say('keys.scope.user') : scope)

const Lifetime = () => (
  <Labelled name="days" label={say('keys.lifetime')}>
    {(ties) => (
      <select {...ties}>
        <option value="30">{sayUnits(30, 'day')}</option>
        <option value="90">{sayUnits(90, 'day')}</option>
        <option value="365">{sayUnits(1, 'year')}</option>
        <option value="">{say('keys.noEnd')}</option>
      </select>
    )}
  </Labelled>
)

type RowProps = { of: ApiKey; reload(): Promise<void> }

function Row({ of: { id, name, scopes, created_at, last_used_at, expires_at }, reload }: RowProps) {
  const revoke = () => whenFresh(() => auth.apiKeys.revoke(id)).then(reload)
  return (
    <li>
      <div>
        <bdi>{name}</bdi>
        <p class="hint">{scopes.map(labelOf).join(' · ')}</p>
        <p class="hint">
          {last_used_at
            ? say('passkeys.used', { date: sayDate(last_used_at) })
            : say('passkeys.added', { date: sayDate(created_at) })}
          {' · '}
          {expires_at ? say('keys.ends', { date: sayDate(expires_at) }) : say('keys.noEnd')}
        </p>
      </div>
      <AskFirst
        button={say('keys.revoke')}
        label={say('keys.revokeOne', { name })}
        text={say('keys.end.text', { name })}
        run={revoke}
      />
    </li>
  )
}
