import { Type } from '@sinclair/typebox'
import type { DossierEntry } from '../../../core/every-feature.ts'
import type { Db, Tx } from '../../../storage/handle.ts'
import { dropFindingsAbout, keepNothingButKey, listAddressesOf } from './adopt-queries.ts'

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
