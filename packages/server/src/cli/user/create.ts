import { email, optional, password, readFields, text } from '../../http/fields.ts'
import type { AdminUser } from '../../kernel/admin-answers.ts'
import { PASSWORD_MAX, USERNAME_MAX } from '../../kernel/lengths.ts'
import { command } from '../command.ts'
import { settingsOptions } from '../load-settings.ts'
import { reasonOption, withNewDatabase } from '../with-operations.ts'
import { assignmentsIn, fieldOption, readUserFields } from './assignments.ts'
import { readPassword } from './password.ts'

/** Checked before the database is opened, so that a wrong name or password creates none. */
const accountFields = {
  username: text({ max: USERNAME_MAX }),
  email: optional(email()),
  password: optional(password({ max: PASSWORD_MAX })),
}

export const userCreate = command({
  options: {
    username: { type: 'needed', placeholder: '<name>', doc: 'The name to log in with' },
    email: { type: 'optional', placeholder: '<address>', doc: 'The e-mail address' },
    'password-stdin': { type: 'flag', doc: 'Read the password from standard input' },
    'first-name': { type: 'optional', placeholder: '<name>', doc: 'The first name' },
    'last-name': { type: 'optional', placeholder: '<name>', doc: 'The last name' },
    verified: { type: 'flag', doc: 'Treat the address as verified' },
    staff: { type: 'flag', doc: 'Let the user administer ordinary users' },
    superuser: { type: 'flag', doc: 'Let the user administer everything' },
    inactive: { type: 'flag', doc: 'The user cannot log in until "user activate"' },
    language: { type: 'optional', placeholder: '<code>', doc: 'One of LANGUAGES, for mails' },
    group: { type: 'repeated', placeholder: '<name>', doc: 'A group; can be repeated' },
    ...fieldOption,
    ...reasonOption,
    ...settingsOptions,
  },
  async run(call) {
    const { values, io, say } = call
    const hasPassword = values['password-stdin']
    const { username, email, password } = readFields(accountFields, {
      username: values.username,
      ...(values.email !== undefined && { email: values.email }),
      ...(hasPassword && { password: await readPassword(io) }),
    })
    await withNewDatabase(call, async (operations) => {
      const own = readUserFields(
        assignmentsIn(values.field),
        operations.services.userFields.declared,
      )
      const user = (await operations.run('users.create', null, {
        username,
        ...(email !== undefined && { email }),
        ...(password !== undefined && { password }),
        ...(values['first-name'] !== undefined && { first_name: values['first-name'] }),
        ...(values['last-name'] !== undefined && { last_name: values['last-name'] }),
        ...(values.language !== undefined && { language: values.language }),
        ...(values.group.length > 0 && { groups: values.group }),
        verified: values.verified,
        active: !values.inactive,
        ...(values.staff && { is_staff: true }),
        ...(values.superuser && { is_superuser: true }),
        fields: own,
      })) as AdminUser
      say(String(user.pk), operations.flat(user))
    })
    if (!hasPassword) {
      const remedy = `latchkey user set-password ${username} --password-stdin`
      io.stderr.write(`${username} has no password yet. To set one, run "${remedy}".\n`)
    }
  },
})
