import type { Loss, TakeoverPart } from '../../../core/takeover.ts'
import type { UserFields } from '../../../kernel/user-fields/user-field.ts'
import type { Tx } from '../../../storage/handle.ts'
import type { User } from '../../../storage/schema.ts'
import { addressPart } from './address-part.ts'
import { changeAdopted, listUsersWithIds, noteLoginAt } from './adopt-queries.ts'
import { extra, profileColumns } from './adopt-users.ts'
import { adoptedFields } from './adopted-fields.ts'
import { damageLosses } from './damage-losses.ts'
import { flagParts } from './flag-parts.ts'
import { holdUniqueFieldsAnew } from './hold-unique-fields.ts'
import { rename } from './rename.ts'

/** The columns of a user come with the user. So nothing is left to add, only to replace. */
const NOTHING_TO_ADD = async (): Promise<Loss[]> => []

/** What a user is: profile, rights, name and addresses. */
export function userTakeover(declared: UserFields): TakeoverPart[] {
  const usersOf = readOnce()
  const marksOf = (mark: (user: User) => unknown): TakeoverPart['marks'] => {
    return async (userIds, tx) =>
      new Map((await usersOf(userIds, tx)).map((user) => [user.id, mark(user)]))
  }

  return [
    {
      name: 'profile',
      of: (source) => [profileColumns(source), adoptedFields(source, declared).values],
      marks: marksOf((user) => [
        [user.first_name, user.last_name],
        [user.group_names, user.extra],
      ]),
      add: NOTHING_TO_ADD,
      async replace(adoption, tx) {
        const { userId, source } = adoption
        const { values, losses } = adoptedFields(source, declared)
        await changeAdopted(tx, userId, { ...profileColumns(source), ...extra(values) })
        const doubled = await holdUniqueFieldsAnew(adoption, declared, tx)
        return [...damageLosses(source), ...losses, ...doubled]
      },
    },
    ...flagParts(marksOf),
    {
      name: 'username',
      of: ({ username }) => username,
      marks: marksOf(({ username_key }) => username_key),
      add: NOTHING_TO_ADD,
      replace: rename,
    },
    {
      name: 'last_login',
      of: ({ lastLogin }) => lastLogin,
      // Never a reason to keep the older of the two.
      marks: async () => new Map(),
      add: NOTHING_TO_ADD,
      async replace({ userId, source }, tx) {
        if (source.lastLogin !== null) await noteLoginAt(tx, userId, source.lastLogin)
        return []
      },
    },
    addressPart(usersOf),
  ]
}

/** All parts are asked about the same list, one after the other. Its rows are read once. */
function readOnce() {
  const read = new WeakMap<readonly number[], Promise<User[]>>()
  return (userIds: readonly number[], tx: Tx): Promise<User[]> => {
    const users = read.get(userIds) ?? listUsersWithIds(tx, userIds)
    read.set(userIds, users)
    return users
  }
}
