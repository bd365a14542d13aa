import { useState } from 'preact/hooks'
import type { AdminUserDetails } from '../../../../server/src/kernel/admin-answers.ts'
import { deviceName } from '../../account/device-name.ts'
import { Button } from '../../components/button.tsx'
import { providerNamed } from '../../facts.ts'
import { call } from '../api.ts'
import { Badge, Remarks, Time } from '../components.tsx'
import { ActionButton } from '../confirm.tsx'
import type { PartProps } from '../operator.ts'
import { Panel } from '../panel.tsx'
import { say } from '../words.ts'

/** The second factor and the passkeys. */
export const Factors = ({ user: { second_factor, passkeys = [] } }: { user: AdminUserDetails }) => (
  <Panel title={say('factors.title')}>
    <ul class="list">
      {second_factor && (
        <li>
          <div>
            {say('factors.totp')}
            {second_factor.mfa_enabled && (
              <p class="hint">
                {say('factors.codesLeft', { count: second_factor.recovery_codes_left })}
              </p>
            )}
          </div>
          <Badge tone={second_factor.mfa_enabled ? 'good' : 'plain'}>
            {say(second_factor.mfa_enabled ? 'factors.on' : 'factors.off')}
          </Badge>
        </li>
      )}
      {passkeys.map(({ id, name, created_at, last_used_at }) => (
        <li key={id}>
          <div>
            <bdi>{name}</bdi>
            <p class="hint">
              {say('factors.added')} <Time at={created_at} /> · {say('factors.used')}{' '}
              <Time at={last_used_at} />
            </p>
          </div>
          <Badge tone="good">{say('factors.passkey')}</Badge>
        </li>
      ))}
    </ul>
  </Panel>
)

/** So many are shown at first. */
const FEW = 5

export function Logins({ user, isOpen, reload }: PartProps) {
  const [isLong, setLong] = useState(false)
  const shown = isLong ? user.logins : user.logins.slice(0, FEW)
  return (
    <Panel title={say('logins.title')}>
      {user.logins.length === 0 && <p class="hint">{say('logins.none')}</p>}
      <ul class="list">
        {shown.map((login) => {
          const device =
            login.method === 'token' ? say('logins.token') : deviceName(login.user_agent ?? '')
          return (
            <li key={login.id}>
              <div>
                {device}
                <p class="hint">
                  <Remarks of={[login.method, login.address]} /> · {say('factors.used')}{' '}
                  <Time at={login.last_used_at} />
                </p>
              </div>
              {isOpen && (
                <ActionButton
                  words={say('logins.end')}
                  label={say('devices.endOne', { device })}
                  text={say('logins.end.text', { device, username: user.username })}
                  run={(_, { reason }) => {
                    const body = { id: login.id, reason }
                    return call('POST', `users/${user.pk}/end-logins/`, { body })
                  }}
                  reload={reload}
                />
              )}
            </li>
          )
        })}
      </ul>
      {shown.length < user.logins.length && (
        <Button kind="quiet" onClick={() => setLong(true)}>
          {say('logins.all', { count: user.logins.length })}
        </Button>
      )}
    </Panel>
  )
}

export const Connected = ({ user: { social_accounts = [] } }: { user: AdminUserDetails }) =>
  social_accounts.length === 0 ? null : (
    <Panel title={say('connected.title')}>
      <ul class="list">
        {social_accounts.map(({ id, provider, date_joined }) => (
          <li key={id}>
            <div>
              <bdi>{providerNamed(provider)?.title ?? provider}</bdi>
              <p class="hint">
                {say('factors.added')} <Time at={date_joined} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
