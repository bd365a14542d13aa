import { useState } from 'preact/hooks'
import type { AdminUserDetails } from '../../../../server/src/kernel/admin-answers.ts'
import { saveFile } from '../../account/save-file.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { Secret } from '../../components/secret.tsx'
import { facts, hasModule } from '../../facts.ts'
import { goTo } from '../../router.tsx'
import { call, get } from '../api.ts'
import { type Action, ActionButton } from '../confirm.tsx'
import { type PartProps, useOperator } from '../operator.ts'
import { Panel } from '../panel.tsx'
import { say } from '../words.ts'

type Verb =
  | 'send-reset'
  | 'set-password'
  | 'mark-verified'
  | 'reset-mfa'
  | 'end-logins'
  | 'export'
  | 'impersonate'
  | 'deactivate'
  | 'activate'
  | 'delete'

/** What operators may do with their own account, too. */
const OWN: readonly Verb[] = ['send-reset', 'end-logins', 'export']

/** What an operator can do with the account as a whole. */
export function Actions({ user, isOpen, reload }: PartProps) {
  const operator = useOperator()
  const [token, setToken] = useState('')
  const isOwn = operator.pk === user.pk
  const path = `users/${user.pk}/`

  /** A button for a verb, unless it makes no sense or would be refused. */
  const button = (verb: Verb, isUseful: boolean, more: Partial<Action> = {}) =>
    isUseful &&
    (isOpen || (isOwn && OWN.includes(verb))) && (
      <ActionButton
        words={say(`act.${verb}`)}
        text={say(`actText.${verb}`, { username: user.username })}
        run={({ password }, { reason }) =>
          call('POST', `${path}${verb}/`, { body: { password: password || undefined, reason } })
        }
        // An action with a `run` of its own has no new state to show.
        {...(!more.run && { reload })}
        {...more}
      />
    )

  const { email, email_verified, is_active } = user
  const why = isOwn ? 'own' : user.is_superuser ? 'superuser' : 'staff'
  return (
    <>
      {token && (
        <Panel title={say('token.title')}>
          <Secret
            text={say('token.text', { username: user.username })}
            value={token}
            onDone={() => setToken('')}
          />
        </Panel>
      )}
      <Panel title={say('user.actions')}>
        {!isOpen && <p class="hint">{say(`user.closed.${why}`)}</p>}
        <div class="stack deeds">
          {button('send-reset', email !== '' && is_active)}
          {button('set-password', true, { fields: <PasswordField name="password" isNew /> })}
          {button('mark-verified', email !== '' && !email_verified)}
          {button('reset-mfa', user.mfa)}
          {button('reset-mfa', needsPasskey(user), {
            text: say('actText.reset-passkeys', { username: user.username }),
          })}
          {button('end-logins', user.logins.length > 0)}
          {button('export', true, {
            run: async (_, { reason }) => {
              const all = await get<object>(`${path}export/`, { reason })
              saveFile(`${user.username}.json`, JSON.stringify(all, null, 2), 'application/json')
            },
          })}
          {button(
            'impersonate',
            facts.admin?.impersonation === true && is_active && !user.is_staff,
            {
              needsReason: true,
              run: async (_, { reason }) => {
                const body = { reason }
                const made = await call<Impersonation>('POST', `${path}impersonate/`, { body })
                if (made.url) location.assign(made.url)
                else setToken(made.access ?? '')
              },
            },
          )}
          {button('activate', !is_active)}
          {button('deactivate', is_active, { danger: true })}
          {button('delete', true, {
            danger: true,
            run: async (_, { reason }) => {
              await call('DELETE', path, { query: { reason } })
              const action = `${say('act.delete')} · ${user.username}`
              goTo('', { done: say('done', { action }) })
            },
          })}
        </div>
      </Panel>
    </>
  )
}

/** An operator without an app. A reset removes the passkeys that stand in for it. */
const needsPasskey = ({ mfa, is_staff, is_superuser, passkeys = [] }: AdminUserDetails): boolean =>
  !mfa && (is_staff || is_superuser) && hasModule('passkeys') && passkeys.length > 0

/** A link, or with JSON Web Tokens alone an access token. */
type Impersonation = { url?: string; access?: string }
