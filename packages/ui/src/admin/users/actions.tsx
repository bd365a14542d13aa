import { saveFile } from '../../account/save-file.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { facts } from '../../facts.ts'
import { goTo } from '../../router.tsx'
import { call } from '../api.ts'
import { type Action, ActionButton } from '../confirm.tsx'
import { useOperator } from '../operator.ts'
import { Panel } from '../panel.tsx'
import type { User } from '../shapes.ts'
import { say } from '../words.ts'

type Props = { user: User; isOpen: boolean; reload(): Promise<void> }

/** What an operator can do with the account as a whole. */
export function Actions({ user, isOpen, reload }: Props) {
  const operator = useOperator()
  const { pk, username } = user

  /** A verb of the API, and the words about it. Afterwards the page shows the new state. */
  const verb = (name: Verb, more: Partial<Action> = {}): Action => ({
    words: say(`act.${name}`),
    text: say(`actText.${name}`, { username }),
    reason: 'optional',
    async run(values) {
      await call('POST', `users/${pk}/${name}/`, { body: given(values) })
      await reload()
    },
    ...more,
  })

  const exported: Action = verb('export', {
    async run(values) {
      const all = await call<object>('POST', `users/${pk}/export/`, { body: given(values) })
      saveFile(`${username}.json`, JSON.stringify(all, null, 2), 'application/json')
    },
  })
  const impersonate: Action = verb('impersonate', {
    reason: 'required',
    async run(values) {
      const { url } = await call<{ url: string }>('POST', `users/${pk}/impersonate/`, {
        body: given(values),
      })
      location.assign(url)
    },
  })
  const remove: Action = {
    words: say('act.delete'),
    text: say('actText.delete', { username }),
    reason: 'optional',
    async run({ reason = '' }) {
      await call('DELETE', `users/${pk}/`, { query: { reason } })
      goTo('')
    },
  }

  if (!isOpen) {
    const why = operator.pk === pk ? 'own' : user.is_superuser ? 'superuser' : 'staff'
    return (
      <Panel title={say('user.actions')}>
        <p class="hint">{say(`user.closed.${why}`)}</p>
      </Panel>
    )
  }
  return (
    <Panel title={say('user.actions')}>
      <div class="stack deeds">
        {user.email && <ActionButton {...verb('send-reset')} />}
        <ActionButton
          {...verb('set-password', { fields: <PasswordField name="password" isNew /> })}
        />
        {user.email && !user.email_verified && <ActionButton {...verb('mark-verified')} />}
        {user.mfa && <ActionButton {...verb('reset-mfa')} />}
        {user.logins.length > 0 && <ActionButton {...verb('end-logins')} />}
        <ActionButton {...exported} />
        {facts.impersonation && user.is_active && !user.is_staff && (
          <ActionButton {...impersonate} />
        )}
        {user.is_active ? (
          <ActionButton danger {...verb('deactivate')} />
        ) : (
          <ActionButton {...verb('activate')} />
        )}
        <ActionButton danger {...remove} />
      </div>
    </Panel>
  )
}

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

/** Empty fields are not sent. */
const given = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
