import type { UserFields } from '../../kernel/user-fields/user-field.ts'
import { forceOption, nameOf } from '../with-operations.ts'
import {
  type Assignments,
  assignmentsIn,
  itemsOf,
  noSuchField,
  readUserFields,
} from './assignments.ts'
import { userChange } from './with-user.ts'

/** What users have besides the fields of the deployment. */
const NAMES = [
  'username',
  'first_name',
  'last_name',
  'email',
  'verified',
  'language',
  'is_staff',
  'is_superuser',
  'groups',
]

export const userSet = userChange(
  {
    followedBy: {
      placeholder: '<name>=<value>',
      doc: 'a field and its new value; a list has commas, and an empty value clears the field',
    },
    options: forceOption,
  },
  async (call, user, operations) => {
    const { users, userFields } = operations.services
    const given = assignmentsIn(call.rest)
    await operations.run('users.update', user, changesIn(given, userFields.declared))
    const changed = (await users.findById(user.id)) ?? user
    const fields = Object.keys(given).join(', ')
    call.say(`Changed ${fields} of ${nameOf(changed)}.`, await operations.shown(changed))
  },
)

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
