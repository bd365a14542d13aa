import { pkOf } from '../../core/identity.ts'
import type { UserFields } from '../../kernel/user-fields/user-field.ts'
import { command } from '../command.ts'
import {
  type Assignments,
  assignmentsIn,
  itemsOf,
  noSuchField,
  readUserFields,
} from './assignments.ts'
import { nameOf, userJson } from './user-json.ts'
import { forceOption, USER, userOptions, withUser } from './with-user.ts'

/** What users have besides the fields of the deployment. */
const NAMES = [
  'username',
  'first_name',
  'last_name',
  'language',
  'is_staff',
  'is_superuser',
  'groups',
]

export const userSet = command({
  argument: {
    ...USER,
    followedBy: {
      placeholder: '<name>=<value>',
      doc: 'a field and its new value; a list has commas, and an empty value clears the field',
    },
  },
  options: { ...forceOption, ...userOptions },
  run: (call) =>
    withUser(call, async (user, accounts) => {
      const given = assignmentsIn(call.rest)
      await accounts.run('users.update', user, changesIn(given, accounts.userFields))
      const changed = (await accounts.withPk(pkOf(user))) ?? user
      const fields = Object.keys(given).join(', ')
      const json = { ...userJson(changed), ...accounts.valuesOf(changed) }
      call.say(`Changed ${fields} of ${nameOf(changed)}.`, json)
    }),
})

/** The input of the operation. */
function changesIn(given: Assignments, declared: UserFields): object {
  const unknown = Object.keys(given).find(
    (name) => !NAMES.includes(name) && !Object.hasOwn(declared, name),
  )
  if (unknown !== undefined) throw noSuchField(unknown, [...NAMES, ...Object.keys(declared)])
  // A field of the deployment may be called `language`, too.
  const part = (isDeclared: boolean) =>
    Object.entries(given).filter(([name]) => Object.hasOwn(declared, name) === isDeclared)
  const own = part(false).map(([name, value]) => [name, name === 'groups' ? itemsOf(value) : value])
  return {
    ...Object.fromEntries(own),
    fields: readUserFields(Object.fromEntries(part(true)), declared),
  }
}
