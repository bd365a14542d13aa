import type { Kysely, Selectable } from 'kysely'
import { change, many, one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

export type ImpersonationRow = Selectable<Database['impersonations']>

export const addImpersonation = change((db, row: ImpersonationRow) =>
  db.insertInto('impersonations').values(row),
)

/** With the operator as they are now. Their columns are null if they are deleted. */
const withOperator = (db: Kysely<Database>) =>
  db
    .selectFrom('impersonations')
    .leftJoin('users as operators', 'operators.id', 'impersonations.operator_id')
    .selectAll('impersonations')
    .select([
      'operators.uuid',
      'operators.username',
      'operators.is_active',
      'operators.is_staff',
      'operators.is_superuser',
      'operators.epoch',
      'operators.revoked_at',
    ])

export const findImpersonation = one((db, loginId: number) =>
  withOperator(db).where('impersonations.login_id', '=', loginId),
)

/** The first to expire come first. Also says whether the login is still open. */
export const listImpersonations = many((db, most: number) =>
  withOperator(db)
    .leftJoin('logins', 'logins.id', 'impersonations.login_id')
    .select('logins.id as open_login_id')
    .orderBy('impersonations.expires_at')
    .limit(most),
)

export const listImpersonationsOf = many((db, userId: number) =>
  db.selectFrom('impersonations').selectAll().where('user_id', '=', userId),
)

export const listImpersonationsBy = many((db, operatorId: number) =>
  db.selectFrom('impersonations').selectAll().where('operator_id', '=', operatorId),
)

export const findByLink = one((db, digest: string, now: number) =>
  db
    .selectFrom('impersonations')
    .select(['login_id', 'user_id'])
    .where('link_digest', '=', digest)
    .where('link_until', '>', now),
)

/** Of parallel uses of a link exactly one succeeds. */
export const spendLink = whether((db, digest: string) =>
  db
    .updateTable('impersonations')
    .set({ link_digest: null })
    .where('link_digest', '=', digest)
    .returning('login_id'),
)

/** Of parallel calls exactly one succeeds. */
export const removeImpersonation = whether((db, loginId: number) =>
  db.deleteFrom('impersonations').where('login_id', '=', loginId).returning('login_id'),
)
