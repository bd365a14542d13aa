import type { Insertable, Kysely } from 'kysely'
import { compiledQuery } from '../../storage/compiled-query.ts'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Database } from '../../storage/schema.ts'

export type LoginsStore = ReturnType<typeof loginsStore>
export type NewLogin = Omit<Insertable<Database['logins']>, 'id'>

export function loginsStore(db: Kysely<Database>) {
  return {
    findBySession: compiledQuery(db, (digest: string) =>
      db
        .selectFrom('logins')
        .innerJoin('users', 'users.id', 'logins.user_id')
        .selectAll('users')
        .select(['logins.id as login_id', 'logins.created_at as login_created_at'])
        .where('logins.session_digest', '=', digest),
    ),

    /** A user, and the given login if it is one of his and has not ended. */
    findUserWithLogin: compiledQuery(db, (userId: number, loginId: number) =>
      db
        .selectFrom('users')
        .leftJoin('logins', (join) =>
          join.onRef('logins.user_id', '=', 'users.id').on('logins.id', '=', loginId),
        )
        .selectAll('users')
        .select(['logins.id as login_id', 'logins.created_at as login_created_at'])
        .where('users.id', '=', userId),
    ),

    add: (login: NewLogin): Promise<{ id: number }> =>
      db.insertInto('logins').values(login).returning('id').executeTakeFirstOrThrow(),

    /** The login goes on under another session id. */
    replaceSession: (id: number, digest: string) =>
      db.updateTable('logins').set({ session_digest: digest }).where('id', '=', id).execute(),

    /** Tells whether the login has not ended. */
    async keepUntil(id: number, time: number): Promise<boolean> {
      const kept = await db
        .updateTable('logins')
        .set((eb) => ({
          expires_at: eb
            .case()
            .when('expires_at', '<', time)
            .then(time)
            .else(eb.ref('expires_at'))
            .end(),
        }))
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return kept !== undefined
    },

    /** Tells whether it was there to be ended. */
    async end(id: number): Promise<boolean> {
      const ended = await db
        .deleteFrom('logins')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return ended !== undefined
    },

    endBySession: (digest: string) =>
      db.deleteFrom('logins').where('session_digest', '=', digest).execute(),

    endAllOfUser: (userId: number) =>
      db.deleteFrom('logins').where('user_id', '=', userId).execute(),

    endOthersOfUser: (userId: number, keptId: number | null) =>
      db
        .deleteFrom('logins')
        .where('user_id', '=', userId)
        .$if(keptId !== null, (query) => query.where('id', '!=', keptId))
        .execute(),

    forgetExpired: (now: number, most: number): Promise<number> =>
      deleteOldest(db, { table: 'logins', key: 'id', time: 'expires_at' }, now, most),
  }
}
