import { deviceName } from '../../account/device-name.ts'
import { providerNamed } from '../../facts.ts'
import { call } from '../api.ts'
import { Badge, Time } from '../components.tsx'
import { ActionButton } from '../confirm.tsx'
import { Panel } from '../panel.tsx'
import type { User } from '../shapes.ts'
import { say } from '../words.ts'

type Props = { user: User; isOpen: boolean; reload(): Promise<void> }

/** The second factor and the passkeys. */
export const Factors = ({ user: { second_factor, passkeys = [] } }: { user: User }) => (
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
            {name}
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

export const Logins = ({ user, isOpen, reload }: Props) => (
  <Panel title={say('logins.title')}>
    {user.logins.length === 0 && <p class="hint">{say('logins.none')}</p>}
    <ul class="list">
      {user.logins.map((login) => {
        const device =
          login.method === 'token' ? say('logins.token') : deviceName(login.user_agent ?? '')
        return (
          <li key={login.id}>
            <div>
              {device}
              <p class="hint">
                {[login.method, login.address].filter(Boolean).join(' · ')} · {say('factors.used')}{' '}
                <Time at={login.last_used_at} />
              </p>
            </div>
            {isOpen && (
              <ActionButton
                words={say('logins.end')}
                label={say('devices.endOne', { device })}
                text={say('logins.end.text', { device, username: user.username })}
                reason="optional"
                run={async ({ reason = '' }) => {
                  const body = { id: login.id, ...(reason && { reason }) }
                  await call('POST', `users/${user.pk}/end-logins/`, { body })
                  await reload()
                }}
              />
            )}
          </li>
        )
      })}
    </ul>
  </Panel>
)

export const Connected = ({ user: { social_accounts = [] } }: { user: User }) =>
  social_accounts.length === 0 ? null : (
    <Panel title={say('connected.title')}>
      <ul class="list">
        {social_accounts.map(({ id, provider, date_joined }) => (
          <li key={id}>
            <div>
              {providerNamed(provider)?.title ?? provider}
              <p class="hint">
                {say('factors.added')} <Time at={date_joined} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
