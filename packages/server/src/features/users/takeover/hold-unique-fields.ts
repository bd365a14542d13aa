import type { Adoption, Loss } from '../../../core/takeover.ts'
import type { UserFields } from '../../../kernel/user-fields/user-field.ts'
import type { Tx } from '../../../storage/handle.ts'
import { heldKey } from '../user-fields.ts'
import { holdValue, releaseValue } from '../user-fields-queries.ts'
import { adoptedFields } from './adopted-fields.ts'

/** Reserves the values of unique fields. Where two users have one, the second is told. */
export async function holdUniqueFields(
  adoptions: readonly Adoption[],
  declared: UserFields,
  tx: Tx,
): Promise<Loss[]> {
  const names = uniqueIn(declared)
  const losses: Loss[] = []
  for (const { userId, source } of names.length === 0 ? [] : adoptions) {
    const { values } = adoptedFields(source, declared)
    for (const name of names) {
      const digest = heldKey(values[name])
      if (digest === null || (await holdValue(tx, { name, digest, user_id: userId }))) continue
      losses.push({ source, what: name, why: 'another user has this value, which must be unique' })
    }
  }
  return losses
}

/** The same for a user whose values have changed. */
export async function holdUniqueFieldsAnew(
  adoption: Adoption,
  declared: UserFields,
  tx: Tx,
): Promise<Loss[]> {
  for (const name of uniqueIn(declared)) await releaseValue(tx, adoption.userId, name)
  return holdUniqueFields([adoption], declared, tx)
}

const uniqueIn = (declared: UserFields): string[] =>
  Object.keys(declared).filter((name) => declared[name]?.unique)
