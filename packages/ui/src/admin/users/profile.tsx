import type { AdminUserDetails } from '../../../../server/src/kernel/admin-answers.ts'
import type { FieldValue } from '../../../../server/src/kernel/user-fields/user-field.ts'
import { Check } from '../../components/check.tsx'
import { Field } from '../../components/field.tsx'
import { LanguageField, nameOfLanguage } from '../../components/language-field.tsx'
import { labelOf, typedValue, UserFieldInput } from '../../components/user-field.tsx'
import { facts } from '../../facts.ts'
import { call } from '../api.ts'
import { Badge } from '../components.tsx'
import { ActionButton } from '../confirm.tsx'
import { useOperator } from '../operator.ts'
import { Panel } from '../panel.tsx'
import { say } from '../words.ts'

type Props = { user: AdminUserDetails; isOpen: boolean; reload(): Promise<void> }

/** One language leaves no choice, and a field of the deployment may have the name. */
const hasLanguages = facts.languages.length > 1 && !Object.hasOwn(facts.userFields, 'language')

const NAMES = ['username', 'first_name', 'last_name'] as const

/** Names, fields, address and rights. Each is changed in a dialog. */
export function Profile({ user, isOpen, reload }: Props) {
  const operator = useOperator()
  const { username } = user

  /** Takes only what was changed: the rest may be newer by now, and the audit names nothing else. */
  async function change(body: object, reason: string | undefined) {
    if (Object.keys(body).length === 0) return
    await call('PATCH', `users/${user.pk}/`, { body: { ...body, reason } })
    await reload()
  }

  const editProfile = (
    <ActionButton
      words={say('profile.edit')}
      title={say('profile.editTitle')}
      button={say('save')}
      text={say('profile.edit.text', { username })}
      fields={
        <>
          {NAMES.map((name) => (
            <Field
              key={name}
              name={name}
              label={say(`field.${name}`)}
              required={name === 'username'}
              defaultValue={user[name]}
              autocomplete="off"
            />
          ))}
          {hasLanguages && <LanguageField name="language" value={user.language} />}
          {Object.entries(facts.userFields).map(([name, field]) => (
            <UserFieldInput
              key={name}
              name={name}
              field={field}
              value={user.fields[name] ?? null}
            />
          ))}
        </>
      }
      run={(values, { reason, isChanged }) => {
        const names = [...NAMES, ...(hasLanguages ? ['language'] : [])].filter(isChanged)
        const fields = Object.entries(facts.userFields)
          .filter(([name]) => isChanged(name))
          .map(([name, field]) => [name, typedValue(field, values[name])])
        const changes = {
          ...Object.fromEntries(names.map((name) => [name, values[name]])),
          ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
        }
        return change(changes, reason)
      }}
    />
  )
  const editAddress = (
    <ActionButton
      words={say('address.edit')}
      text={say('address.edit.text', { username })}
      fields={
        <>
          <Field
            name="email"
            label={say('field.email')}
            type="email"
            defaultValue={user.email}
            autocomplete="off"
          />
          <Check name="verified" label={say('address.verified')} />
        </>
      }
      run={({ email, verified }, { reason, isChanged }) => {
        // An empty box says nothing about the address that the user has already.
        const address = { email, ...(verified && { verified: true }) }
        return change(verified || isChanged('email') ? address : {}, reason)
      }}
    />
  )
  const editRights = (
    <ActionButton
      words={say('rights.edit')}
      text={say('rights.edit.text', { username })}
      fields={
        <>
          <Check name="is_staff" label={say('rights.staff')} isOn={user.is_staff} />
          <Check name="is_superuser" label={say('rights.superuser')} isOn={user.is_superuser} />
          <Field
            name="groups"
            label={say('rights.groups')}
            required={false}
            defaultValue={user.groups.join(', ')}
            autocomplete="off"
          />
        </>
      }
      run={({ is_staff, is_superuser, groups = '' }, { reason, isChanged }) => {
        const changes = {
          ...(isChanged('is_staff') && { is_staff: is_staff === 'on' }),
          ...(isChanged('is_superuser') && { is_superuser: is_superuser === 'on' }),
          ...(isChanged('groups') && { groups: groupsIn(groups, user.groups) }),
        }
        return change(changes, reason)
      }}
    />
  )

  return (
    <Panel title={say('profile.title')} beside={(isOpen || operator.pk === user.pk) && editProfile}>
      <dl>
        <dt>{say('profile.name')}</dt>
        <dd>
          <bdi>{`${user.first_name} ${user.last_name}`.trim() || '–'}</bdi>
        </dd>
        {hasLanguages && (
          <>
            <dt>{say('field.language')}</dt>
            <dd>
              <bdi>{user.language ? nameOfLanguage(user.language) : '–'}</bdi>
            </dd>
          </>
        )}
        {Object.keys(facts.userFields).map((name) => (
          <>
            <dt key={name}>{labelOf(name)}</dt>
            <dd>
              <bdi>{shown(user.fields[name])}</bdi>
            </dd>
          </>
        ))}
        <dt>{say('field.email')}</dt>
        <dd>
          <bdi>{user.email || '–'}</bdi>{' '}
          {user.email && (
            <Badge tone={user.email_verified ? 'good' : 'plain'}>
              {say(user.email_verified ? 'email.verified' : 'email.unverified')}
            </Badge>
          )}{' '}
          {isOpen && editAddress}
        </dd>
        <dt>{say('rights.title')}</dt>
        <dd>
          {!user.is_staff && !user.is_superuser && say('rights.none')}{' '}
          {user.is_superuser && <Badge tone="warn">{say('state.superuser')}</Badge>}{' '}
          {user.is_staff && <Badge tone="warn">{say('state.staff')}</Badge>}{' '}
          {user.groups.map((group) => (
            <Badge key={group}>{group}</Badge>
          ))}{' '}
          {isOpen && operator.is_superuser && editRights}
        </dd>
      </dl>
    </Panel>
  )
}

/** Commas separate the names. A name that the user has already may contain some. */
function groupsIn(typed: string, known: readonly string[]): string[] {
  const text = typed.trim()
  if (text === '') return []
  const whole = known.find((name) => name.includes(',') && `${text},`.startsWith(`${name},`))
  const name = whole ?? text.replace(/,.*/, '')
  return [name.trim() || [], groupsIn(text.slice(name.length + 1), known)].flat()
}

function shown(value: FieldValue | undefined): string {
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  return [value ?? []].flat().join(', ') || '–'
}
