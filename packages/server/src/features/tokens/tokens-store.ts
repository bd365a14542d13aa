import type { Kysely } from 'kysely'
import { compiledQuery } from '../../storage/compiled-query.ts'
import type { Database } from '../../storage/schema.ts'

export type TokensStore = ReturnType<typeof tokensStore>

export function tokensStore(db: Kysely<Database>) {
  return {
    findOwner: compiledQuery(db, (digest: string) =>
      db
        .selectFrom('tokens')
        .innerJoin('users', 'users.id', 'tokens.user_id')
        .selectAll('users')
        .where('tokens.digest', '=', digest),
    ),

    findOfUser: (userId: number) =>
      db.selectFrom('tokens').selectAll().where('user_id', '=', userId).executeTakeFirst(),

    /** Does nothing when the user has one already: of parallel first logins one makes the key. */
    addIfNone: (token: Database['tokens']) =>
      db
        .insertInto('tokens')
        .values(token)
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .execute(),

    replace: (old: Database['tokens'], token: Database['tokens']) =>
      db
        .updateTable('tokens')
        .set(token)
        .where('user_id', '=', old.user_id)
        .where('digest', '=', old.digest)
        .execute(),

    removeOfUser: (userId: number) =>
      db.deleteFrom('tokens').where('user_id', '=', userId).execute(),
  }
}
