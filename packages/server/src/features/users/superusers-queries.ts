import { change, whether } from '../../storage/query.ts'

/** Only the transaction that holds this row may remove a superuser. */
export const lockSuperusers = change((db) =>
  db.updateTable('latchkey_locks').set({ name: 'superusers' }).where('name', '=', 'superusers'),
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
