import { usesIn } from '../../core/last-uses.ts'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { ownerBy } from '../../storage/owner-query.ts'
import { change, one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'
import { OF_USER } from '../../storage/user-columns.ts'

export type Token = Database['tokens']

export const findOwnerOfToken = ownerBy((db, digest: string) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(OF_USER)
    .select([
      'tokens.created_at as token_created_at',
      'tokens.last_used_at as token_last_used_at',
      'tokens.authenticated_at as token_authenticated_at',
    ])
    .where('tokens.digest', '=', digest),
)

export const findTokenOfUser = one((db, userId: number) =>
  db.selectFrom('tokens').selectAll().where('user_id', '=', userId),
)

export const addToken = change((db, token: Token) => db.insertInto('tokens').values(token))

/** Returns false if there is no such token any more. */
export const changeToken = whether((db, oldDigest: string, token: Partial<Token>) =>
  db.updateTable('tokens').set(token).where('digest', '=', oldDigest).returning('user_id'),
)

export const hasToken = whether((db, digest: string) =>
  db.selectFrom('tokens').select('user_id').where('digest', '=', digest),
)

export const noteUses = usesIn('tokens', 'user_id')

/** Returns whether the user had one. */
export const removeTokenOfUser = whether((db, userId: number) =>
  db.deleteFrom('tokens').where('user_id', '=', userId).returning('user_id'),
)

export const addTokens = (handle: Handle, tokens: readonly Token[]) =>
  kyselyOf(handle)
    .insertInto('tokens')
    .values(tokens)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const listTokensOf = (handle: Handle, userIds: readonly number[]) =>
  kyselyOf(handle)
    .selectFrom('tokens')
    .select(['user_id', 'digest'])
    .where('user_id', 'in', userIds)
    .execute()
