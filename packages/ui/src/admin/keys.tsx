import { useState } from 'preact/hooks'
import { useLoaded } from '../account/use-loaded.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { Good, Trouble } from '../components/task.tsx'
import { call, get } from './api.ts'
import { Badge, Time } from './components.tsx'
import { ActionButton } from './confirm.tsx'
import { Frame } from './frame.tsx'
import { useOperator } from './operator.ts'
import { Panel } from './panel.tsx'
import type { AdminKey, Keys } from './shapes.ts'
import { Check } from './users/check.tsx'
import { say } from './words.ts'

const SCOPES = ['read', 'audit', 'mails', 'users'] as const

/** The keys of the service by age, and the keys of programs. */
export function KeysPage() {
  const operator = useOperator()
  const { value: keys, trouble, reload } = useLoaded(() => get<Keys>('keys/'))
  const [made, setMade] = useState('')
  const create = (
    <ActionButton
      words={say('keys.create')}
      text={say('keys.create.text')}
      reason="optional"
      fields={
        <>
          <Field name="name" label={say('keys.name')} autocomplete="off" />
          <fieldset>
            <legend>{say('keys.scopes')}</legend>
            {SCOPES.map((scope) => (
              <Check key={scope} name={scope} label={say(`keys.scope.${scope}`)} />
            ))}
          </fieldset>
          <Field name="expires" label={say('keys.expires')} required={false} autocomplete="off" />
        </>
      }
      run={async ({ name = '', expires = '', reason = '', ...values }) => {
        const scopes = SCOPES.filter((scope) => values[scope] === 'on')
        const body = { name, scopes, ...(expires && { expires }), ...(reason && { reason }) }
        const { key } = await call<{ key: string }>('POST', 'keys/', { body })
        setMade(key)
        await reload()
      }}
    />
  )
  return (
    <Frame title={say('nav.keys')}>
      <Trouble words={trouble} />
      {made && <NewKey value={made} onDone={() => setMade('')} />}
      <Panel title={say('keys.admin')} beside={operator.is_superuser && create}>
        <p class="hint">{say('keys.admin.text')}</p>
        <ul class="rows">
          {keys?.admin.map((key) => (
            <AdminKeyRow key={key.id} of={key} mayRevoke={operator.is_superuser} reload={reload} />
          ))}
        </ul>
      </Panel>
      <Panel title={say('keys.service')}>
        <p class="hint">{say('keys.service.text')}</p>
        <ul class="rows">
          {keys?.service.map(({ id, kind, created_at }) => (
            <li key={id} class="row">
              <span class="who">
                <strong>{id}</strong>
                <span class="hint">{kind}</span>
              </span>
              <span class="when">
                <Time at={created_at} />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </Frame>
  )
}

type RowProps = { of: AdminKey; mayRevoke: boolean; reload(): Promise<void> }

const AdminKeyRow = ({ of: key, mayRevoke, reload }: RowProps) => (
  <li class="row">
    <span class="who">
      <strong>{key.name}</strong>
      <span class="hint">
        {say('factors.added')} <Time at={key.created_at} /> · {say('factors.used')}{' '}
        <Time at={key.last_used_at} />
      </span>
    </span>
    <span class="badges">
      {key.scopes.map((scope) => (
        <Badge key={scope}>{scope}</Badge>
      ))}
    </span>
    <span class="when">
      {key.expires_at ? (
        <>
          {say('keys.until')} <Time at={key.expires_at} />
        </>
      ) : (
        <Badge tone="warn">{say('keys.noEnd')}</Badge>
      )}
    </span>
    {mayRevoke && (
      <ActionButton
        danger
        words={say('keys.revoke')}
        label={say('keys.revokeOne', { name: key.name })}
        text={say('keys.revoke.text', { name: key.name })}
        reason="optional"
        run={async ({ reason = '' }) => {
          await call('DELETE', `keys/${key.id}/`, { query: { reason } })
          await reload()
        }}
      />
    )}
  </li>
)

/** The only time that the key is shown. */
function NewKey({ value, onDone }: { value: string; onDone(): void }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => navigator.clipboard.writeText(value).then(() => setCopied(true))
  return (
    <Panel title={say('keys.made')}>
      <p>{say('keys.made.text')}</p>
      <p class="codes">
        <code>{value}</code>
      </p>
      <Good words={isCopied ? say('mfa.codes.copied') : ''} />
      <div class="actions">
        <Button onClick={copy}>{say('mfa.codes.copy')}</Button>
        <Button kind="primary" onClick={onDone}>
          {say('keys.made.done')}
        </Button>
      </div>
    </Panel>
  )
}
