import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

type SpentRow = Database['spent_refresh_tokens']

/** Returns whether the token was unspent. Of parallel calls exactly one gets true. */
export const spendToken = whether((db, token: SpentRow) =>
  db
    .insertInto('spent_refresh_tokens')
    .values(token)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest'),
)

/** The same for a token of a login. Also returns false if the login has ended. */
export const spendTokenOfLogin = whether((db, loginId: number, token: SpentRow) =>
  db
    .insertInto('spent_refresh_tokens')
    .columns(['login_id', 'user_id', 'digest', 'sealed_successor', 'spent_at', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('logins')
        .where('id', '=', loginId)
        .select(({ val }) => [
          'id',
          'user_id',
          val(token.digest).as('digest'),
          val(token.sealed_successor).as('sealed_successor'),
          val(token.spent_at).as('spent_at'),
          val(token.expires_at).as('expires_at'),
        ]),
    )
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest'),
)

export const addSpentTokens = (handle: Handle, tokens: readonly SpentRow[]) =>
  kyselyOf(handle)
    .insertInto('spent_refresh_tokens')
    .values(tokens)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .execute()

export const findSpentToken = one((db, digest: string) =>
  db.selectFrom('spent_refresh_tokens').selectAll().where('digest', '=', digest),
)
