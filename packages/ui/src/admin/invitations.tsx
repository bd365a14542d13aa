import type { OpenInvitation } from '../../../server/src/kernel/admin-answers.ts'
import { EmailField } from '../components/field.tsx'
import { labelOf } from '../components/user-field.tsx'
import { call } from './api.ts'
import { Badge, Results, Time } from './components.tsx'
import { ActionButton } from './confirm.tsx'
import { Frame } from './frame.tsx'
import { useOperator } from './operator.ts'
import { Panel } from './panel.tsx'
import { usePages } from './use-pages.ts'
import { GroupsField, groupsIn, sayValue, typedFields, UserFieldInputs } from './user-inputs.tsx'
import { say } from './words.ts'

const PATH = 'invitations/'

/** Who is invited to create an account. */
export function Invitations() {
  const pages = usePages<OpenInvitation>(PATH)
  const { is_superuser } = useOperator()
  const create = (
    <ActionButton
      kind="primary"
      words={say('invitations.create')}
      text={say('invitations.create.text')}
      fields={
        <>
          <EmailField autocomplete="off" autofocus />
          <UserFieldInputs initially={() => null} mayBeEmpty />
          {is_superuser && <GroupsField />}
        </>
      }
      run={(values, { reason, isChanged }) => {
        const groups = groupsIn(values.groups ?? '')
        const body = {
          email: values.email,
          reason,
          ...(groups.length > 0 && { groups }),
          // These values replace what the new user types, so untouched fields are not sent.
          ...typedFields(values, isChanged),
        }
        return call('POST', PATH, { body })
      }}
      reload={pages.reload}
    />
  )
  return (
    <Frame title={say('nav.invitations')} below={<p class="hint">{say('invitations.text')}</p>}>
      <Panel title={say('nav.invitations')} beside={create}>
        <Results pages={pages} empty={say('invitations.none')}>
          <ul class="rows invitations">
            {pages.results?.map((one) => (
              <Row key={one.id} of={one} reload={pages.reload} />
            ))}
          </ul>
        </Results>
      </Panel>
    </Frame>
  )
}

type RowProps = { of: OpenInvitation; reload(): void }

const Row = ({ of: { id, email, groups, fields, invited_by, expires_at }, reload }: RowProps) => (
  <li class="row">
    <span class="who">
      <strong>{email}</strong>
      {invited_by !== null && (
        <span class="hint">{say('invitations.by', { name: invited_by })}</span>
      )}
    </span>
    <span class="badges">
      {groups.map((group) => (
        <Badge key={group}>{group}</Badge>
      ))}
      {Object.entries(fields).map(([name, value]) => (
        <Badge key={name}>
          {labelOf(name)}: <bdi>{sayValue(value)}</bdi>
        </Badge>
      ))}
    </span>
    <span class="when">
      {say('keys.until')} <Time at={expires_at} />
    </span>
    <span class="actions">
      <ActionButton
        words={say('invite.resend')}
        label={say('invite.resendOne', { email })}
        text={say('invitations.resend.text', { email })}
        run={(_, { reason }) => call('POST', `${PATH}${id}/resend/`, { body: { reason } })}
        reload={reload}
      />
      <ActionButton
        danger
        words={say('invite.revoke')}
        label={say('invite.revokeOne', { email })}
        text={say('invitations.revoke.text', { email })}
        run={(_, { reason }) => call('DELETE', `${PATH}${id}/`, { query: { reason } })}
        reload={reload}
      />
    </span>
  </li>
)
