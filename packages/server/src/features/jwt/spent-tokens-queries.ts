import { sql } from 'kysely'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

type SpentRow = Database['spent_refresh_tokens']

/** Returns whether the token was unspent. Of parallel calls exactly one gets true. */
export const spendToken = whether((db, token: SpentRow) =>
  db
    .insertInto('spent_refresh_tokens')
    .values(token)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key'),
)

/**
 * The same for a token of a login. Also returns false if the login has ended, or if the token is stored
 * under its digest alone. Nobody spends a token under that key, so reading it first leaves no race.
 */
export const spendTokenOfLogin = whether((db, loginId: number, token: SpentRow, digest: string) =>
  db
    .insertInto('spent_refresh_tokens')
    .columns(['login_id', 'user_id', 'key', 'sealed_successor', 'spent_at', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('logins')
        .where('id', '=', loginId)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('spent_refresh_tokens as earlier')
                .select('earlier.key')
                .where('earlier.key', '=', digest),
            ),
          ),
        )
        .select(({ val }) => [
          'id',
          val(token.user_id).as('user_id'),
          val(token.key).as('key'),
          val(token.sealed_successor).as('sealed_successor'),
          val(token.spent_at).as('spent_at'),
          val(token.expires_at).as('expires_at'),
        ]),
    )
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key'),
)

export const addSpentTokens = (handle: Handle, tokens: readonly SpentRow[]) =>
  kyselyOf(handle)
    .insertInto('spent_refresh_tokens')
    .values(tokens)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .execute()

/** The row under one of the two keys. If both are there, the one that knows its login. */
export const findSpentToken = one((db, key: string, digest: string) =>
  db
    .selectFrom('spent_refresh_tokens')
    .selectAll()
    .where('key', 'in', [key, digest])
    .orderBy(sql`login_id is null`)
    .limit(1),
)
