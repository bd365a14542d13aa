import type { Adoption, Loss, TakeoverPart } from '../../../core/takeover.ts'
import { nameKey, normalizeUsername } from '../../../kernel/names.ts'
import type { UserFields } from '../../../kernel/user-fields/user-field.ts'
import type { DjangoUser } from '../../../storage/django/django-user.ts'
import type { Tx } from '../../../storage/handle.ts'
import type { User } from '../../../storage/schema.ts'
import {
  changeAdopted,
  findHolderOfAddress,
  listAddressesOf,
  listUsersNamed,
  listUsersWithIds,
  noteLoginAt,
  putAddresses,
  removeAddressesOf,
} from './adopt-queries.ts'
import { addressColumns, extra, profileColumns } from './adopt-users.ts'
import { adoptedFields } from './adopted-fields.ts'
import { chosenAddress } from './chosen-address.ts'

/** The columns of a user come with the user. So nothing is left to add, only to replace. */
const NOTHING_TO_ADD = async (): Promise<Loss[]> => []

/** What a user is: profile, password and addresses. */
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
        [user.first_name, user.last_name, user.is_active, user.is_staff, user.is_superuser],
        [user.group_names, user.extra],
      ]),
      add: NOTHING_TO_ADD,
      async replace({ userId, source }, tx) {
        const { values, losses } = adoptedFields(source, declared)
        await changeAdopted(tx, userId, { ...profileColumns(source), ...extra(values) })
        return losses
      },
    },
    {
      name: 'username',
      of: ({ username }) => username,
      marks: marksOf(({ username_key }) => username_key),
      add: NOTHING_TO_ADD,
      replace: rename,
    },
    {
      name: 'password',
      of: ({ password }) => password,
      // A login renews an old hash, which is no new password. The epoch grows only with a new one.
      marks: marksOf(({ epoch }) => epoch),
      add: NOTHING_TO_ADD,
      async replace({ userId, source }, tx) {
        const [user] = await listUsersWithIds(tx, [userId])
        const password = source.password === '' ? '!' : source.password
        await changeAdopted(tx, userId, { password, epoch: (user?.epoch ?? 0) + 1 })
        return []
      },
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
    {
      name: 'addresses',
      of: ({ email, addresses }) => [email, addresses],
      marks: async (userIds, tx) => addressMarks(await usersOf(userIds, tx), userIds, tx),
      add: addAddresses,
      async replace(adoption, tx) {
        await removeAddressesOf(tx, adoption.userId)
        await addAddresses([adoption], tx)
        return moveAddress(adoption, tx)
      },
    },
  ]
}

async function rename({ userId, source }: Adoption, tx: Tx): Promise<Loss[]> {
  const { username: theirs } = source
  if (theirs === null || theirs === '') return []
  const username = normalizeUsername(theirs)
  const key = nameKey(username)
  const [holder] = await listUsersNamed(tx, key)
  if (holder && holder.id !== userId) {
    return [{ source, what: 'username', why: `${username} is taken, in this or another case` }]
  }
  await changeAdopted(tx, userId, { username, username_key: key, username_skeleton: null })
  return []
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

async function addressMarks(
  users: readonly User[],
  userIds: readonly number[],
  tx: Tx,
): Promise<Map<number, unknown>> {
  const others = new Map<number, [id: number, verified: number][]>(users.map(({ id }) => [id, []]))
  for (const { user_id, id, verified } of await listAddressesOf(tx, userIds)) {
    others.get(user_id)?.push([id, verified])
  }
  return new Map(
    users.map(({ id, email_key, email_verified }) => [
      id,
      [email_key, email_verified, others.get(id)],
    ]),
  )
}

async function addAddresses(adoptions: readonly Adoption[], tx: Tx): Promise<Loss[]> {
  const rows = adoptions.flatMap(({ userId, source }) =>
    source.addresses.map(({ id, email, isVerified }) => ({
      id,
      user_id: userId,
      email,
      email_key: nameKey(email),
      verified: isVerified ? (1 as const) : (0 as const),
    })),
  )
  if (rows.length > 0) await putAddresses(tx, rows)
  return []
}

/** Gives the user the address that they have at the source now, unless another user has it here. */
async function moveAddress({ userId, source }: Adoption, tx: Tx): Promise<Loss[]> {
  const address = chosenAddress(source)
  const holder = address && (await findHolderOfAddress(tx, address.key))
  if (holder && holder.id !== userId) return [lostAddress(source, address.key)]
  await changeAdopted(tx, userId, addressColumns(address))
  return []
}

const lostAddress = (source: DjangoUser, address: string): Loss => ({
  source,
  what: 'address',
  why: `${address} belongs to another user`,
})
