import { Check } from '../../components/check.tsx'
import { EmailField, Field } from '../../components/field.tsx'
import { LanguageField, nameOfLanguage } from '../../components/language-field.tsx'
import { labelOf } from '../../components/user-field.tsx'
import { facts } from '../../facts.ts'
import { call } from '../api.ts'
import { Badge } from '../components.tsx'
import { ActionButton } from '../confirm.tsx'
import { type PartProps, useOperator } from '../operator.ts'
import { Panel } from '../panel.tsx'
import {
  GroupsField,
  groupsIn,
  hasLanguages,
  sayValue,
  typedFields,
  UserFieldInputs,
} from '../user-inputs.tsx'
import { say } from '../words.ts'

const NAMES = ['username', 'first_name', 'last_name'] as const

/** Names, fields, address and rights. Each is changed in a dialog. */
export function Profile({ user, isOpen, reload }: PartProps) {
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
          <UserFieldInputs initially={(name) => user.fields[name] ?? null} />
        </>
      }
      run={(values, { reason, isChanged }) => {
        const names = [...NAMES, ...(hasLanguages ? ['language'] : [])].filter(isChanged)
        const changes = {
          ...Object.fromEntries(names.map((name) => [name, values[name]])),
          ...typedFields(values, isChanged),
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
          <EmailField autocomplete="off" required={false} defaultValue={user.email} />
          <Check name="verified" label={say('address.verified')} />
        </>
      }
      run={({ email, verified }, { reason, isChanged }) => {
        // An empty box does not change an address that the user already has. An empty address is never verified.
        const address = { email, ...(verified && email && { verified: true }) }
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
          <GroupsField groups={user.groups} />
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
              <bdi>{sayValue(user.fields[name])}</bdi>
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
