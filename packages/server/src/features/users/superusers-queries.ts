import { change, many, whether } from '../../storage/query.ts'

/** Only the transaction that holds this row may remove a superuser. */
export const lockSuperusers = change((db) =>
  db
    .insertInto('latchkey_locks')
    .values({ name: 'superusers' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ name: 'superusers' })),
)

export const hasOtherSuperuser = whether((db, id: number) =>
  db
    .selectFrom('users')
    .select('id')
    .where('is_superuser', '=', 1)
    .where('is_active', '=', 1)
    .where('id', '<>', id)
    .limit(1),
)

export const listSuperusers = many((db, most: number) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('is_superuser', '=', 1)
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(most),
)
