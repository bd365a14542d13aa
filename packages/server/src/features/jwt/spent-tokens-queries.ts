import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

/** Returns whether the token was unspent. Of parallel calls exactly one gets true. */
export const spendToken = whether((db, token: Database['spent_refresh_tokens']) =>
  db
    .insertInto('spent_refresh_tokens')
    .values(token)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest'),
)

export const addSpentTokens = (
  handle: Handle,
  tokens: readonly Database['spent_refresh_tokens'][],
) =>
  kyselyOf(handle)
    .insertInto('spent_refresh_tokens')
    .values(tokens)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .execute()

export const findSpentToken = one((db, digest: string) =>
  db.selectFrom('spent_refresh_tokens').selectAll().where('digest', '=', digest),
)
