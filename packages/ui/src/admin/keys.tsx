import { useState } from 'preact/hooks'
import type { AdminPage, KeyInUse, ProgramKey } from '../../../server/src/kernel/admin-answers.ts'
import { useLoaded } from '../account/use-loaded.ts'
import { Field } from '../components/field.tsx'
import { chosenScopes, ScopesField } from '../components/scopes-field.tsx'
import { Secret } from '../components/secret.tsx'
import { Trouble } from '../components/task.tsx'
import { call, get } from './api.ts'
import { Badge, Time } from './components.tsx'
import { ActionButton } from './confirm.tsx'
import { Frame } from './frame.tsx'
import { Panel } from './panel.tsx'
import { say, sayDay } from './words.ts'

const PATH = 'admin-keys/'
const SCOPES = ['read', 'audit', 'mails', 'users'] as const

/** The keys of the service by age, and the keys of programs. */
export const KeysPage = () => (
  <Frame title={say('nav.keys')}>
    <AdminKeys />
    <ServiceKeys />
  </Frame>
)

function ServiceKeys() {
  const { value, trouble } = useLoaded(() => get<AdminPage<KeyInUse>>('keys/'))
  return (
    <Panel title={say('keys.service')}>
      <p class="hint">{say('keys.service.text')}</p>
      <Trouble words={trouble} />
      <ul class="rows">
        {value?.results.map(({ use, id, algorithm, since }) => (
          <li key={use + id} class="row">
            <span class="who">
              <strong>{say(`keys.use.${use}`)}</strong>
              <span class="hint">
                <bdi>{algorithm}</bdi>
              </span>
            </span>
            <span>{id && <code>{id}</code>}</span>
            <span class="when">
              {since && (
                <>
                  {say('keys.since')} <Time at={since} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function AdminKeys() {
  const load = () => get<AdminPage<ProgramKey>>(PATH)
  const { value, trouble, reload } = useLoaded(load)
  const [made, setMade] = useState('')
  const create = (
    <ActionButton
      words={say('keys.create')}
      text={say('keys.create.text')}
      fields={
        <>
          <Field name="name" label={say('keys.name')} autocomplete="off" />
          <ScopesField scopes={SCOPES} label={(scope) => say(`keys.scope.${scope}`)} />
          <Field name="expires" label={say('keys.expires')} required={false} autocomplete="off" />
        </>
      }
      run={async ({ name, expires, ...values }, { reason }) => {
        const scopes = chosenScopes(SCOPES, values)
        const body = { name, scopes, expires: expires || undefined, reason }
        const { key } = await call<{ key: string }>('POST', PATH, { body })
        setMade(key)
      }}
      reload={reload}
    />
  )
  return (
    <>
      {made && (
        <Panel title={say('keys.made')}>
          <Secret text={say('keys.made.text')} value={made} onDone={() => setMade('')} />
        </Panel>
      )}
      <Panel title={say('keys.admin')} beside={create}>
        <p class="hint">{say('keys.admin.text')}</p>
        <Trouble words={trouble} />
        <ul class="rows">
          {value?.results.map((key) => (
            <AdminKeyRow key={key.id} of={key} reload={reload} />
          ))}
        </ul>
      </Panel>
    </>
  )
}

type RowProps = { of: ProgramKey; reload(): Promise<void> }

const AdminKeyRow = ({ of: key, reload }: RowProps) => (
  <li class="row">
    <span class="who">
      <strong>
        <bdi>{key.name}</bdi>
      </strong>
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
          {say('keys.until')} <Time at={key.expires_at} say={sayDay} />
        </>
      ) : (
        <Badge tone="warn">{say('keys.noEnd')}</Badge>
      )}
    </span>
    <ActionButton
      danger
      words={say('keys.revoke')}
      label={say('keys.revokeOne', { name: key.name })}
      text={say('keys.revoke.text', { name: key.name })}
      run={(_, { reason }) => call('DELETE', `${PATH}${key.id}/`, { query: { reason } })}
      reload={reload}
    />
  </li>
)
