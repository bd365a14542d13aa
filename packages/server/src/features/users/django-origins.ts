import * as Type from '@sinclair/typebox'
import type { DossierEntry } from '../../core/every-feature.ts'
import type { Db, Handle, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import {
  dropDjangoAddress,
  dropFindingsAbout,
  findDjangoAddress,
  findDjangoUser,
  keepNothingButKey,
  listAddressesOf,
  verifyDjangoAddress,
} from './django-origins-queries.ts'

/** What is still known about users from the Django project that they came from. */
export const djangoOrigins = {
  async isFromThere(userId: number, tx: Tx): Promise<boolean> {
    return (await findDjangoUser(tx, userId)) !== undefined
  },

  /**
   * The addresses of a user as they were written there. Null if the user did not come from there,
   * or has changed the address since.
   */
  async addressesOf(user: User, within: Handle): Promise<{ email: string; all: string[] } | null> {
    const origin = await findDjangoUser(within, user.id)
    if (!origin || user.email_epoch > 0) return null
    if (origin.address !== user.email && origin.email !== '') return null
    const addresses = await listAddressesOf(within, [user.id])
    return { email: origin.email, all: addresses.map(({ email }) => email) }
  },

  /** The ids there of the further addresses that the user has verified. A login can name each. */
  async verifiedOf(userId: number, within: Handle): Promise<number[]> {
    const addresses = await listAddressesOf(within, [userId])
    return addresses.filter(({ verified }) => verified === 1).map(({ id }) => id)
  },

  /** An address by its id there. */
  findAddress: (id: number, within: Handle) => findDjangoAddress(within, id),

  /** Of parallel calls exactly one gets true, and none if it is verified already. */
  verifyAddress: (id: number, tx: Tx): Promise<boolean> => verifyDjangoAddress(tx, id),

  /** An address that the user has given up no longer logs them in. */
  dropAddress: (userId: number, emailKey: string, tx: Tx) =>
    dropDjangoAddress(tx, userId, emailKey),
}

/** Addresses that came from a Django project. */
export const addressesEntry = (db: Db): DossierEntry => ({
  name: 'further_addresses',
  schema: Type.Array(
    Type.Object({
      email: Type.String({ examples: ['ada@work.example.com'] }),
      verified: Type.Boolean({ examples: [true] }),
    }),
  ),
  async read(user, most) {
    const addresses = await listAddressesOf(db, [user.id])
    return addresses
      .slice(-most)
      .map(({ email, verified }) => ({ email, verified: verified === 1 }))
  },
})

/** Only the key of the user at the source stays, so that no later import brings them back. */
export async function forgetDjangoUser(userId: number, tx: Tx): Promise<void> {
  await dropFindingsAbout(tx, userId)
  await keepNothingButKey(tx, userId)
}
