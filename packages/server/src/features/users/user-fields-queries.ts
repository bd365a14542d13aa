import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, many, one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

export const findHolder = one((db, name: string, digest: string) =>
  db
    .selectFrom('unique_user_fields')
    .select('user_id')
    .where('name', '=', name)
    .where('digest', '=', digest),
)

/** Of parallel calls with the same value exactly one succeeds. The transaction stays usable. */
export const holdValue = whether((db, held: Database['unique_user_fields']) =>
  db
    .insertInto('unique_user_fields')
    .values(held)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id'),
)

/** Skips values that somebody already holds. */
export async function holdValues(
  handle: Handle,
  held: readonly Database['unique_user_fields'][],
): Promise<void> {
  await kyselyOf(handle)
    .insertInto('unique_user_fields')
    .values(held)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The holders of these values, by digest. */
export async function findHolders(
  handle: Handle,
  name: string,
  digests: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await kyselyOf(handle)
    .selectFrom('unique_user_fields')
    .select(['digest', 'user_id'])
    .where('name', '=', name)
    .where('digest', 'in', digests)
    .execute()
  return new Map(rows.map(({ digest, user_id }) => [digest, user_id]))
}

export const listCovered = many((db) => db.selectFrom('covered_user_fields').select('name'))

export const markCovered = change((db, name: string) =>
  db
    .insertInto('covered_user_fields')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing()),
)

export const forgetCovered = change((db, name: string) =>
  db.deleteFrom('covered_user_fields').where('name', '=', name),
)

export const releaseValue = change((db, userId: number, name: string) =>
  db.deleteFrom('unique_user_fields').where('user_id', '=', userId).where('name', '=', name),
)
