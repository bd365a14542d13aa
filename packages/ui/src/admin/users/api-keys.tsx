import { call } from '../api.ts'
import { Remarks, Time } from '../components.tsx'
import { ActionButton } from '../confirm.tsx'
import type { PartProps } from '../operator.ts'
import { Panel } from '../panel.tsx'
import { say, sayDay } from '../words.ts'

/** The keys that the user has made for programs. Operators make none for them. */
export const ApiKeys = ({ user: { pk, api_keys = [] }, isOpen, reload }: PartProps) =>
  api_keys.length === 0 ? null : (
    <Panel title={say('keys.title')}>
      <ul class="list">
        {api_keys.map(({ id, name, scopes, last_used_at, expires_at }) => (
          <li key={id}>
            <div>
              <bdi>{name}</bdi>
              <p class="hint">
                <Remarks of={scopes} />
              </p>
              <p class="hint">
                {say('factors.used')} <Time at={last_used_at} /> ·{' '}
                {expires_at ? say('keys.ends', { date: sayDay(expires_at) }) : say('keys.noEnd')}
              </p>
            </div>
            {isOpen && (
              <ActionButton
                danger
                words={say('keys.revoke')}
                label={say('keys.revokeOne', { name })}
                text={say('keys.end.text', { name })}
                run={(_, { reason }) =>
                  call('DELETE', `users/${pk}/tokens/${id}/`, { query: { reason } })
                }
                reload={reload}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
