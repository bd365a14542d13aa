import { AuthError } from 'latchkey-client'
import { useState } from 'preact/hooks'
import type { AdminUser } from '../../../../server/src/kernel/admin-answers.ts'
import { whenFresh } from '../../account/ask-again.tsx'
import { Check } from '../../components/check.tsx'
import { EmailField, Field } from '../../components/field.tsx'
import { Form, type Values } from '../../components/form.tsx'
import { LanguageField } from '../../components/language-field.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { Trouble } from '../../components/task.tsx'
import { facts } from '../../facts.ts'
import { troubleOf } from '../../problem.ts'
import { goTo, Link } from '../../router.tsx'
import { call } from '../api.ts'
import { Frame } from '../frame.tsx'
import { useOperator } from '../operator.ts'
import { ReasonField, reasonIn } from '../reason.tsx'
import {
  GroupsField,
  groupsIn,
  hasLanguages,
  typedFields,
  UserFieldInputs,
} from '../user-inputs.tsx'
import { say } from '../words.ts'

/** A user with a password, or one who gets a mail with a link to choose their own. */
export function NewUser() {
  const { is_superuser } = useOperator()
  const [invites, setInvites] = useState(true)
  /** The user whose invitation was not sent, and why. */
  const [failed, setFailed] = useState<{ user: AdminUser; why: string } | null>(null)

  async function create(values: Values) {
    // Otherwise the account would be created, but no invitation could be sent.
    if (invites && !values.email) {
      throw new AuthError({ status: 400, fields: { email: [say('error.required')] } })
    }
    const reason = reasonIn(values)
    const groups = groupsIn(values.groups ?? '')
    const body = {
      username: values.username,
      email: values.email,
      first_name: values.first_name,
      last_name: values.last_name,
      ...(hasLanguages && values.language && { language: values.language }),
      ...(groups.length > 0 && { groups }),
      ...typedFields(values),
      ...(!invites && { password: values.password, verified: values.Verified === 'on' }),
      reason,
    }
    const user = await whenFresh(() => call<AdminUser>('POST', 'users/', { body }))
    try {
      if (invites) await call('POST', `users/${user.pk}/send-reset/`, { body: { reason } })
      goTo(`users/${user.pk}`)
    } catch (error) {
      setFailed({ user, why: troubleOf(error, []).general })
    }
  }

  // The account exists, and its page has a button for another mail.
  if (failed) {
    const { user, why } = failed
    return (
      <Frame title={say('new.title')}>
        <Trouble words={`${say('new.notInvited', { username: user.username })} ${why}`} />
        <p>
          <Link to={`users/${user.pk}`} class="button">
            {say('new.open')}
          </Link>
        </p>
      </Frame>
    )
  }

  return (
    <Frame title={say('new.title')}>
      <section class="narrow" aria-label={say('new.title')}>
        <Form
          button={say(invites ? 'new.invite' : 'new.create')}
          submit={create}
          onCancel={() => goTo('')}
        >
          <Field name="username" label={say('field.username')} autocomplete="off" autofocus />
          <EmailField autocomplete="off" required={invites} />
          <Field
            name="first_name"
            label={say('field.first_name')}
            autocomplete="off"
            required={false}
          />
          <Field
            name="last_name"
            label={say('field.last_name')}
            autocomplete="off"
            required={false}
          />
          {hasLanguages && <LanguageField name="language" value={null} />}
          <UserFieldInputs initially={(name) => facts.userFields[name]?.default ?? null} />
          {is_superuser && <GroupsField />}
          <label class="check">
            <input type="checkbox" checked={invites} onChange={() => setInvites(!invites)} />{' '}
            {say('new.invites')}
          </label>
          {!invites && (
            <>
              <PasswordField name="password" isNew />
              {/* A field of the deployment may be called `verified`. None has a capital letter. */}
              <Check name="Verified" label={say('address.verified')} />
            </>
          )}
          <ReasonField />
        </Form>
      </section>
    </Frame>
  )
}
