import type { AdminUserDetails } from '../../../../server/src/kernel/admin-answers.ts'
import { useLoaded } from '../../account/use-loaded.ts'
import { Trouble } from '../../components/task.tsx'
import { Link } from '../../router.tsx'
import { get } from '../api.ts'
import { AuditRows } from '../audit-rows.tsx'
import { Remarks, Time } from '../components.tsx'
import { DeliveryState } from '../delivery.tsx'
import { Frame } from '../frame.tsx'
import { mayChange, useOperator } from '../operator.ts'
import { Panel } from '../panel.tsx'
import { say } from '../words.ts'
import { Connected, Factors, Logins } from './access.tsx'
import { Actions } from './actions.tsx'
import { ApiKeys } from './api-keys.tsx'
import { nameOf, StateBadges } from './find.tsx'
import { Profile } from './profile.tsx'

/** So many events are here; the audit has all. */
const NEWEST = 8

/** Everything about one user, and everything that an operator can do for them. */
export function UserPage({ pk }: { pk: string }) {
  const operator = useOperator()
  const { value: user, trouble, reload } = useLoaded(() => get<AdminUserDetails>(`users/${pk}/`))
  if (!user) {
    return (
      <Frame title={trouble ? say('user.none') : '…'}>
        <Trouble words={trouble} />
      </Frame>
    )
  }
  const isOpen = mayChange(operator, user)
  const props = { user, reload, isOpen }
  return (
    <Frame
      title={user.username}
      below={
        <p class="badges">
          <StateBadges user={user} />
          <span class="hint">
            <Remarks of={[nameOf(user), user.email]} />
          </span>
        </p>
      }
    >
      <Trouble words={trouble} />
      <div class="columns">
        <aside class="stack" aria-label={say('user.actions')}>
          <Panel title={say('user.account')}>
            <dl>
              <dt>{say('user.pk')}</dt>
              <dd>{user.pk}</dd>
              <dt>{say('find.joined')}</dt>
              <dd>
                <Time at={user.date_joined} />
              </dd>
              <dt>{say('find.lastLogin')}</dt>
              <dd>
                <Time at={user.last_login} />
              </dd>
            </dl>
          </Panel>
          <Actions {...props} />
        </aside>
        <div class="stack">
          <Profile {...props} />
          <Factors user={user} />
          <Logins {...props} />
          <ApiKeys {...props} />
          <Connected user={user} />
          {user.mails.length > 0 && (
            <Panel title={say('user.mails')}>
              <ul class="list">
                {user.mails.map(({ kind, state, created_at }) => (
                  <li key={created_at}>
                    <div>
                      {kind}{' '}
                      <p class="hint">
                        <Time at={created_at} />
                      </p>
                    </div>
                    <DeliveryState state={state} />
                  </li>
                ))}
              </ul>
            </Panel>
          )}
          <Panel
            title={say('user.audit')}
            beside={
              <Link to="audit" query={{ user: pk }}>
                {say('user.allAudit')}
              </Link>
            }
          >
            {user.history.length === 0 && <p class="hint">{say('audit.none')}</p>}
            <AuditRows rows={user.history.slice(0, NEWEST)} />
          </Panel>
        </div>
      </div>
    </Frame>
  )
}
