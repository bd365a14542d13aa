import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, many, one } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

export type SealedCode = Omit<Database['recovery_codes'], 'position'>

export const listCodesOfUser = many((db, userId: number) =>
  db
    .selectFrom('recovery_codes')
    .select(['user_id', 'digest', 'sealed_code'])
    .where('user_id', '=', userId)
    .orderBy('position'),
)

const countRows = one((db, userId: number) =>
  db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId),
)

export const countCodesOfUser = async (handle: Handle, userId: number): Promise<number> =>
  (await countRows(handle, userId))?.count ?? 0

export const addCodes = (handle: Handle, codes: Database['recovery_codes'][]) =>
  kyselyOf(handle).insertInto('recovery_codes').values(codes).execute()

/** Changes nothing if the code was used or resealed since it was read. */
export const replaceCode = change((db, old: SealedCode, { digest, sealed_code }: SealedCode) =>
  db
    .updateTable('recovery_codes')
    .set({ digest, sealed_code })
    .where('user_id', '=', old.user_id)
    .where('digest', '=', old.digest)
    .where('sealed_code', '=', old.sealed_code),
)

/** Of parallel uses of a code exactly one gets its row. The code has one digest per secret key. */
export async function useCode(
  handle: Handle,
  userId: number,
  digests: readonly string[],
): Promise<boolean> {
  const used = await kyselyOf(handle)
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', 'in', digests)
    .returning('digest')
    .executeTakeFirst()
  return used !== undefined
}

export const removeCodesOfUser = change((db, userId: number) =>
  db.deleteFrom('recovery_codes').where('user_id', '=', userId),
)

export const countCodesOf = (handle: Handle, userIds: readonly number[]) =>
  kyselyOf(handle)
    .selectFrom('recovery_codes')
    .select((eb) => ['user_id', eb.fn.countAll<number>().as('count')])
    .where('user_id', 'in', userIds)
    .groupBy('user_id')
    .execute()
