import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, many } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

export const listHashKinds = many((db, most: number) =>
  db.selectFrom('hash_kinds').selectAll().orderBy('key').limit(most),
)

/** Keeps the row with more rounds. */
export const putHashKind = change((db, kind: Database['hash_kinds']) =>
  db
    .insertInto('hash_kinds')
    .values(kind)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => ({
          rounds: eb.ref('excluded.rounds'),
          specimen: eb.ref('excluded.specimen'),
        }))
        .whereRef('hash_kinds.rounds', '<', (eb) => eb.ref('excluded.rounds')),
    ),
)

/** The newest users come first. */
export const listPasswords = (handle: Handle, before: number | null, most: number) =>
  kyselyOf(handle)
    .selectFrom('users')
    .select(['id', 'password'])
    .$if(before !== null, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
