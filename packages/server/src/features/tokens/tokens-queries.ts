import { change, one } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

type Token = Database['tokens']

export const findOwnerOfToken = one((db, digest: string) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('users')
    .where('tokens.digest', '=', digest),
)

export const findTokenOfUser = one((db, userId: number) =>
  db.selectFrom('tokens').selectAll().where('user_id', '=', userId),
)

/** Does nothing if the user has a token. Of parallel first logins one adds it. */
export const addTokenIfNone = change((db, token: Token) =>
  db
    .insertInto('tokens')
    .values(token)
    .onConflict((conflict) => conflict.column('user_id').doNothing()),
)

export const replaceToken = change((db, old: Token, token: Token) =>
  db
    .updateTable('tokens')
    .set(token)
    .where('user_id', '=', old.user_id)
    .where('digest', '=', old.digest),
)

export const removeTokenOfUser = change((db, userId: number) =>
  db.deleteFrom('tokens').where('user_id', '=', userId),
)
