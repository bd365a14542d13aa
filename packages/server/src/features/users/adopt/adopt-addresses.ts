import {
  type Adoptable,
  type Brought,
  type Loss,
  marksByUser,
  type UserLoss,
} from '../../../core/adopt.ts'
import { ID_MAX } from '../../../kernel/ids.ts'
import { nameKey } from '../../../kernel/names.ts'
import type { Tx } from '../../../storage/handle.ts'
import { deleteRowsOf } from '../../../storage/rows-of-user.ts'
import { flagOf, type UserRow } from '../../../storage/schema.ts'
import { listAddressesOf } from '../django-origins-queries.ts'
import { addressColumns } from '../user-rows.ts'
import { changeUser, findUserByEmail } from '../users-queries.ts'
import { findHolderOfAddress, putAddresses } from './adopt-queries.ts'

export type AdoptedAddresses = {
  /** The one address that a user has here, in the form of `nameKey`. Null if they have none. */
  readonly main: MainAddress | null
  /** All addresses at the other service. The user can still log in with each verified one. */
  readonly further: readonly FurtherAddress[]
}

export type MainAddress = { readonly key: string; readonly isVerified: boolean }

type FurtherAddress = {
  readonly id: number
  readonly email: string
  readonly isVerified: boolean
}

type UsersOf = (userIds: readonly number[], tx: Tx) => Promise<UserRow[]>

export const createAdoptAddresses = (usersOf: UsersOf): Adoptable<AdoptedAddresses> => ({
  async marks(userIds, tx) {
    const users = await usersOf(userIds, tx)
    const addresses = await listAddressesOf(tx, userIds)
    const further = marksByUser(addresses, ({ id, verified }) => [id, verified])
    return new Map(
      users.map(({ id, email_key, email_verified }) => [
        id,
        [email_key, email_verified, further.get(id) ?? []],
      ]),
    )
  },

  async put(brought, tx) {
    const userIds = brought.map(({ userId }) => userId)
    await deleteRowsOf(tx, 'django_addresses', userIds)
    const losses = await addFurtherAddresses(brought, tx)
    for (const one of brought) losses.push(...(await moveAddress(one, tx)))
    return losses
  },
})

/** Keys in mails name an address by its id, so one whose id does not fit cannot be adopted. */
const fits = ({ id }: FurtherAddress): boolean => id <= ID_MAX

/** The addresses that the user can log in with, as soon as they are added. */
export const verifiedKeys = ({ further }: AdoptedAddresses): string[] =>
  further
    .filter((address) => address.isVerified && fits(address))
    .map(({ email }) => nameKey(email))

export async function addFurtherAddresses(
  brought: readonly Brought<AdoptedAddresses>[],
  tx: Tx,
): Promise<UserLoss[]> {
  const rows = brought.flatMap(({ userId, given }) =>
    given.further.filter(fits).map(({ id, email, isVerified }) => ({
      id,
      user_id: userId,
      email,
      email_key: nameKey(email),
      verified: flagOf(isVerified),
    })),
  )
  await putAddresses(tx, rows)
  return brought.flatMap(({ userId, given }) =>
    given.further
      .filter((address) => !fits(address))
      .map(({ email }) => ({ userId, what: email, why: 'the id of the address is too large' })),
  )
}

/**
 * If another user has the address here, the user gets none: the former one may belong to somebody
 * else by now.
 */
async function moveAddress(
  { userId, given: { main } }: Brought<AdoptedAddresses>,
  tx: Tx,
): Promise<UserLoss[]> {
  // A verified further address of another user gives way only to another proof.
  const findHolder = main?.isVerified ? findHolderOfAddress : findUserByEmail
  const holder = main && (await findHolder(tx, main.key))
  const isTaken = Boolean(holder && holder.id !== userId)
  await changeUser(tx, userId, columnsOfMain(isTaken ? null : main))
  return main && isTaken ? [{ userId, ...addressTaken(main.key) }] : []
}

export const addressTaken = (key: string): Loss => ({
  what: 'address',
  why: `${key} belongs to another user`,
})

export const columnsOfMain = (main: AdoptedAddresses['main']) =>
  addressColumns(main?.key ?? '', main?.isVerified ?? false)
