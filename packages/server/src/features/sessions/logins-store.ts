import type { Insertable, Kysely } from 'kysely'
import { compiledQuery } from '../../storage/compiled-query.ts'
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
        .select(['logins.id as login_id', 'logins.expires_at'])
        .where('logins.session_digest', '=', digest),
    ),

    add: (login: NewLogin): Promise<{ id: number }> =>
      db.insertInto('logins').values(login).returning('id').executeTakeFirstOrThrow(),

    /** The login goes on under another session id. */
    replaceSession: (id: number, digest: string) =>
      db.updateTable('logins').set({ session_digest: digest }).where('id', '=', id).execute(),

    end: (id: number) => db.deleteFrom('logins').where('id', '=', id).execute(),

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

    forgetExpired: (now: number) =>
      db.deleteFrom('logins').where('expires_at', '<=', now).execute(),
  }
}
