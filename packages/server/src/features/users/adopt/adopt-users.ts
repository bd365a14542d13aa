import type { Adoptable } from '../../../core/adopt.ts'
import type { Tx } from '../../../storage/handle.ts'
import { flagOf, type UserRow } from '../../../storage/schema.ts'
import type { UpToMail } from '../../mail/feature.ts'
import type { HashKinds } from '../hash-kinds.ts'
import { uniqueNames } from '../user-fields.ts'
import { releaseValue } from '../user-fields-queries.ts'
import { changeUser } from '../users-queries.ts'
import {
  type AdoptedFlags,
  type AdoptedProfile,
  createAddUsers,
  holdUniqueFields,
  profileColumns,
} from './add-users.ts'
import { createAdoptAddresses } from './adopt-addresses.ts'
import { listUsersWithIds, noteLoginAt } from './adopt-queries.ts'
import { createAdoptUsernames } from './adopt-usernames.ts'
import { createNumberedNames } from './numbered-names.ts'

/** The usual flags. A user who has them gets no mark. */
const USUAL = { is_active: 1, is_staff: 0, is_superuser: 0 } as const

/** Adopts users: all of a new one with `add`, and later each kind of data when it has changed. */
export function createAdoptUsers(house: UpToMail & { hashKinds: HashKinds }) {
  const { settings, everyFeature } = house
  const { USER_FIELDS: declared } = settings
  const usersOf = readOnce()
  const numberedNames = createNumberedNames()
  const marksOf =
    (mark: (user: UserRow) => unknown): Adoptable<unknown>['marks'] =>
    async (userIds, tx) =>
      new Map((await usersOf(userIds, tx)).map((user) => [user.id, mark(user)]))

  const profile: Adoptable<AdoptedProfile> = {
    marks: marksOf((user) => [
      [user.first_name, user.last_name],
      [user.group_names, user.extra],
    ]),
    async put(brought, tx) {
      for (const { userId, given } of brought) {
        await changeUser(tx, userId, profileColumns(given))
        for (const name of uniqueNames(declared)) await releaseValue(tx, userId, name)
      }
      return holdUniqueFields(brought, declared, tx)
    },
  }

  const flag = (name: keyof AdoptedFlags): Adoptable<boolean> => ({
    marks: marksOf((user) => (user[name] === USUAL[name] ? null : user[name])),
    async put(brought, tx) {
      for (const { userId, given } of brought) {
        await changeUser(tx, userId, { [name]: flagOf(given) })
        // Keys for programs would work again after the ban, without any login.
        if (name === 'is_active' && !given) await everyFeature.revoked(userId, tx)
      }
      return []
    },
  })

  const lastLogin: Adoptable<number | null> = {
    // The later of two logins counts, so there is never a conflict.
    marks: async () => new Map(),
    async put(brought, tx) {
      for (const { userId, given } of brought)
        if (given !== null) await noteLoginAt(tx, userId, given)
      return []
    },
  }

  return {
    add: createAddUsers({ ...house, numberedNames }),
    profile,
    is_active: flag('is_active'),
    is_staff: flag('is_staff'),
    is_superuser: flag('is_superuser'),
    username: createAdoptUsernames(
      marksOf(({ username_key }) => username_key),
      numberedNames,
    ),
    lastLogin,
    addresses: createAdoptAddresses(usersOf),
  }
}

/** An import asks for all marks of the same list, one after the other. Its rows are read once. */
function readOnce() {
  const read = new WeakMap<readonly number[], Promise<UserRow[]>>()
  return (userIds: readonly number[], tx: Tx): Promise<UserRow[]> => {
    const users = read.get(userIds) ?? listUsersWithIds(tx, userIds)
    read.set(userIds, users)
    return users
  }
}
