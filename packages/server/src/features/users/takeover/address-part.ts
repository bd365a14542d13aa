import type { Adoption, Loss, TakeoverPart } from '../../../core/takeover.ts'
import { ID_MAX } from '../../../kernel/ids.ts'
import { nameKey } from '../../../kernel/names.ts'
import type { DjangoAddress } from '../../../storage/django/django-user.ts'
import type { Tx } from '../../../storage/handle.ts'
import type { Flag, User } from '../../../storage/schema.ts'
import {
  changeAdopted,
  findHolderOfAddress,
  listAddressesOf,
  putAddresses,
  removeAddressesOf,
} from './adopt-queries.ts'
import { addressColumns } from './adopt-users.ts'
import { addressLoss, chosenAddress } from './chosen-address.ts'

type UsersOf = (userIds: readonly number[], tx: Tx) => Promise<User[]>

/** The address of a user, and the further ones that they have at the source. */
export const addressPart = (usersOf: UsersOf): TakeoverPart => ({
  name: 'addresses',
  of: ({ email, addresses }) => [email, addresses],
  marks: async (userIds, tx) => marks(await usersOf(userIds, tx), userIds, tx),
  add: addAddresses,
  async replace(adoption, tx) {
    await removeAddressesOf(tx, adoption.userId)
    return [...(await addAddresses([adoption], tx)), ...(await moveAddress(adoption, tx))]
  },
})

async function marks(
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

/** Keys in mails name an address by its id, so that one whose id does not fit cannot come. */
const fits = ({ id }: DjangoAddress): boolean => id <= ID_MAX

async function addAddresses(adoptions: readonly Adoption[], tx: Tx): Promise<Loss[]> {
  const rows = adoptions.flatMap(({ userId, source: { addresses } }) =>
    addresses.filter(fits).map(({ id, email, isVerified }) => ({
      id,
      user_id: userId,
      email,
      email_key: nameKey(email),
      verified: (isVerified ? 1 : 0) as Flag,
    })),
  )
  await putAddresses(tx, rows)
  return adoptions.flatMap(({ source }) =>
    source.addresses
      .filter((address) => !fits(address))
      .map(({ email }) => ({ source, what: email, why: 'the id of the address is too large' })),
  )
}

/**
 * Gives the user the address that they have at the source now. If another user has it here, the user
 * has none: the former one may belong to somebody else by now.
 */
async function moveAddress({ userId, source }: Adoption, tx: Tx): Promise<Loss[]> {
  const address = chosenAddress(source)
  const holder = address && (await findHolderOfAddress(tx, address.key))
  const isTaken = Boolean(holder && holder.id !== userId)
  await changeAdopted(tx, userId, addressColumns(isTaken ? null : address))
  return addressLoss(source, isTaken)
}
