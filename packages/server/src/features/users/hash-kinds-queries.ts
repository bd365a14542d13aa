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
export const listPasswords = many((db, upTo: number, most: number) =>
  db
    .selectFrom('users')
    .select(['id', 'password'])
    .where('id', '<=', upTo)
    .orderBy('id', 'desc')
    .limit(most),
)
