import type { Brought, Loss, UserLoss } from '../../../core/adopt.ts'
import type { Pk } from '../../../kernel/ids.ts'
import { nameKey, normalizeUsername } from '../../../kernel/names.ts'
import type { FieldValue, UserFields } from '../../../kernel/user-fields/user-field.ts'
import type { Tx } from '../../../storage/handle.ts'
import { flagOf } from '../../../storage/schema.ts'
import type { UpToMail } from '../../mail/feature.ts'
import type { HashKinds } from '../hash-kinds.ts'
import { heldKey, uniqueNames } from '../user-fields.ts'
import { holdValue } from '../user-fields-queries.ts'
import { nameKeys } from '../user-rows.ts'
import type { Values } from '../user-values.ts'
import { usernameFrom } from '../usernames.ts'
import { changeUser, type NewUser } from '../users-queries.ts'
import {
  type AdoptedAddresses,
  addFurtherAddresses,
  addressTaken,
  columnsOfMain,
  type MainAddress,
  verifiedKeys,
} from './adopt-addresses.ts'
import { addUsers, findTaken, findVerifiedFurther } from './adopt-queries.ts'
import { renamed } from './adopt-usernames.ts'
import { passwordLosses, storedPassword } from './adopted-password.ts'
import type { NamesThere, NumberedNames } from './numbered-names.ts'

/** A user of another service, with everything that the row of a user contains here. */
export type AdoptedUser = {
  readonly pk: Pk
  readonly joinedAt: number | null
  readonly lastLogin: number | null
  readonly profile: AdoptedProfile
  readonly flags: AdoptedFlags
  /** Null or empty if the user has none. Then one is made from the first of `nameFrom` that gives one. */
  readonly username: string | null
  readonly nameFrom: readonly string[]
  readonly addresses: AdoptedAddresses
  /** The hash. Empty if the user has no password. */
  readonly password: string
}

export type AdoptedProfile = {
  readonly firstName: string
  readonly lastName: string
  readonly groups: readonly string[]
  /** Values of `USER_FIELDS`, in their types. */
  readonly fields: Values
}

export type AdoptedFlags = Readonly<Record<'is_active' | 'is_staff' | 'is_superuser', boolean>>

type NameRules = {
  /** What happens to a user whose username somebody here has, in this or another case. */
  readonly onTaken: 'rename' | 'leave-out'
  readonly namesThere: NamesThere
}

type KindLoss = Loss & {
  readonly kind: 'user' | 'username' | 'addresses' | 'password' | 'profile'
}

type Draft = { user: AdoptedUser; row: NewUser | null; losses: KindLoss[] }

/** `userId` is the id that the user got, or null if they were left out. */
type Added = { user: AdoptedUser; userId: number | null; losses: KindLoss[] }

type Taken = Awaited<ReturnType<typeof takenBy>>

/** What the users of a batch share. */
type Batch = Pick<NameRules, 'onTaken'> & {
  taken: Taken
  numberedName: ReturnType<NumberedNames>
}

/** Adds users with the ids, names and password hashes that they have at the other service. */
export function createAddUsers({
  hasher,
  hashKinds,
  clock,
  settings,
  numberedNames,
}: UpToMail & { hashKinds: HashKinds; numberedNames: NumberedNames }) {
  return async (
    users: readonly AdoptedUser[],
    { onTaken, namesThere }: NameRules,
    tx: Tx,
  ): Promise<Added[]> => {
    const taken = await takenBy(users, namesThere, tx)
    const numberedName = numberedNames({ ...taken, namesThere }, tx)
    const drafts: Draft[] = []
    for (const user of users) drafts.push(await draft(user, { taken, onTaken, numberedName }))
    const rows = drafts.flatMap(({ row }) => row ?? [])
    await hashKinds.note(
      rows.map(({ password }) => password),
      tx,
    )
    const inserted = rows.length === 0 ? [] : await addUsers(tx, rows)
    const ids = new Map<Pk, number>(inserted.map(({ id, uuid }) => [uuid ?? id, id]))
    const added = drafts.map(({ user, row, losses }) => {
      const userId = (row && ids.get(user.pk)) ?? null
      return { user, userId, losses }
    })
    await addBelongings(added, tx)
    return added
  }

  async function draft(user: AdoptedUser, batch: Batch): Promise<Draft> {
    const { taken } = batch
    if (taken.pks.has(user.pk)) {
      return { user, row: null, losses: [lost('user', 'another user here has this pk')] }
    }
    const { name, losses } = await nameFor(user, batch)
    if (name === null) return { user, row: null, losses }
    const { main } = user.addresses
    const isFree = main !== null && !isAddressTaken(main, taken)
    if (isFree) taken.addresses.add(main.key)
    else if (main) losses.push({ kind: 'addresses', ...addressTaken(main.key) })
    const ofPassword = passwordLosses(user.password, hasher)
    losses.push(...ofPassword.map((loss) => ({ kind: 'password' as const, ...loss })))
    const row = { ...rowOf(user, name), ...columnsOfMain(isFree ? main : null) }
    taken.usernames.add(row.username_key)
    for (const key of verifiedKeys(user.addresses)) taken.verified.add(key)
    return { user, row, losses }
  }

  /** Adds what is stored outside the rows of the users, and notes what was lost. */
  async function addBelongings(added: readonly Added[], tx: Tx): Promise<void> {
    const here = added.flatMap(({ user, userId }) => (userId === null ? [] : [{ user, userId }]))
    const profiles = here.map(({ user, userId }) => ({ userId, given: user.profile }))
    const addresses = here.map(({ user, userId }) => ({ userId, given: user.addresses }))
    const losses = new Map(added.map((one) => [one.userId, one.losses]))
    const note = (kind: KindLoss['kind'], found: readonly UserLoss[]) => {
      for (const { userId, ...loss } of found) losses.get(userId)?.push({ kind, ...loss })
    }
    note('profile', await holdUniqueFields(profiles, settings.USER_FIELDS, tx))
    note('addresses', await addFurtherAddresses(addresses, tx))
  }

  function rowOf(user: AdoptedUser, username: string) {
    const { pk, flags, joinedAt, lastLogin, password } = user
    return {
      ...(typeof pk === 'number' ? { id: pk, uuid: null } : { uuid: pk }),
      username,
      username_key: nameKey(username),
      username_skeleton: null,
      ...profileColumns(user.profile),
      is_active: flagOf(flags.is_active),
      is_staff: flagOf(flags.is_staff),
      is_superuser: flagOf(flags.is_superuser),
      password: storedPassword(password, hasher),
      joined_at: joinedAt ?? clock.now(),
      last_login_at: lastLogin,
    }
  }
}

async function nameFor(
  user: AdoptedUser,
  { taken, onTaken, numberedName }: Batch,
): Promise<{ name: string | null; losses: KindLoss[] }> {
  const name = wantedName(user)
  const isWish = Boolean(user.username)
  const isTaken = isWish ? taken.usernames.has(nameKey(name)) : taken.isReserved(nameKey(name))
  if (!isTaken) return { name, losses: [] }
  if (isWish && onTaken === 'leave-out') {
    const why = `the username ${name} is taken, in this or another case`
    return { name: null, losses: [lost('user', why)] }
  }
  const free = await numberedName(name)
  return { name: free, losses: isWish ? [lost('username', renamed(name, free))] : [] }
}

const lost = (kind: 'user' | 'username', why: string): KindLoss => ({ kind, what: kind, why })

/** The name that the user has there, or else one that is made for them. */
const wantedName = ({ username, nameFrom }: AdoptedUser): string =>
  username ? normalizeUsername(username) : usernameFrom(nameFrom)

/** A verified further address of another user gives way only to another proof. */
const isAddressTaken = ({ key, isVerified }: MainAddress, { addresses, verified }: Taken) =>
  addresses.has(key) || (!isVerified && verified.has(key))

export const profileColumns = ({ firstName, lastName, groups, fields }: AdoptedProfile) => ({
  first_name: firstName,
  last_name: lastName,
  ...nameKeys({ first_name: firstName, last_name: lastName }),
  group_names: JSON.stringify(groups),
  extra: JSON.stringify(fields),
})

async function takenBy(users: readonly AdoptedUser[], namesThere: NamesThere, tx: Tx) {
  const ids = users.flatMap(({ pk }) => (typeof pk === 'number' ? [pk] : []))
  const uuids = users.flatMap(({ pk }) => (typeof pk === 'string' ? [pk] : []))
  const names = users.map(wantedName)
  const keys = names.map(nameKey)
  const addresses = users.flatMap(({ addresses: { main } }) => (main ? [main.key] : []))
  const usernames = await findTaken(tx, 'username_key', keys)
  const wishes = new Set<string>(keys.filter((_, i) => users[i]?.username))
  const there = await namesThere(names.filter((_, i) => !users[i]?.username))
  return {
    pks: new Set([...(await findTaken(tx, 'id', ids)), ...(await findTaken(tx, 'uuid', uuids))]),
    usernames,
    /** Names that are made here, or get a number, must not be those that users have there. */
    isReserved: (key: string) => usernames.has(key) || wishes.has(key) || there.has(key),
    addresses: await findTaken(tx, 'email_key', addresses),
    /** Further addresses, which their users have verified. */
    verified: await findVerifiedFurther(tx, addresses),
  }
}

/** Reserves the values of unique fields. A value that another user holds is removed, and reported. */
export async function holdUniqueFields(
  brought: readonly Brought<{ readonly fields: Values }>[],
  declared: UserFields,
  tx: Tx,
): Promise<UserLoss[]> {
  const names = uniqueNames(declared)
  const losses: UserLoss[] = []
  for (const { userId, given } of brought) {
    const kept: Record<string, FieldValue> = { ...given.fields }
    for (const name of names) {
      const digest = heldKey(given.fields[name])
      if (digest === null || (await holdValue(tx, { name, digest, user_id: userId }))) continue
      kept[name] = null
      await changeUser(tx, userId, { extra: JSON.stringify(kept) })
      losses.push({ userId, what: name, why: 'another user has this value, which must be unique' })
    }
  }
  return losses
}
