import { change, one, whether } from '../../storage/query.ts'
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

export const releaseValue = change((db, userId: number, name: string) =>
  db.deleteFrom('unique_user_fields').where('user_id', '=', userId).where('name', '=', name),
)
