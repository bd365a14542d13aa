import type { Brought, UserLoss } from '../../../core/adopt.ts'
import type { UserFields } from '../../../kernel/user-fields/user-field.ts'
import type { Tx } from '../../../storage/handle.ts'
import { heldKey, uniqueNames } from '../user-fields.ts'
import { holdValue } from '../user-fields-queries.ts'
import type { Values } from '../user-values.ts'

/** Reserves the values of unique fields. A value that another user holds is reported. */
export async function holdUniqueFields(
  brought: readonly Brought<{ readonly fields: Values }>[],
  declared: UserFields,
  tx: Tx,
): Promise<UserLoss[]> {
  const names = uniqueNames(declared)
  const losses: UserLoss[] = []
  for (const { userId, given } of brought) {
    for (const name of names) {
      const digest = heldKey(given.fields[name])
      if (digest === null || (await holdValue(tx, { name, digest, user_id: userId }))) continue
      losses.push({ userId, what: name, why: 'another user has this value, which must be unique' })
    }
  }
  return losses
}
