import type { Kysely } from 'kysely'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Database } from '../../storage/schema.ts'

export type EmailKeysStore = ReturnType<typeof emailKeysStore>

export function emailKeysStore(db: Kysely<Database>) {
  return {
    add: (key: Database['email_keys']) => db.insertInto('email_keys').values(key).execute(),

    find: (digest: string, now: number) =>
      db
        .selectFrom('email_keys')
        .select(['user_id', 'email_key'])
        .where('digest', '=', digest)
        .where('expires_at', '>', now)
        .executeTakeFirst(),

    /** Of parallel uses exactly one gets it. */
    consume: (digest: string, now: number) =>
      db
        .deleteFrom('email_keys')
        .where('digest', '=', digest)
        .where('expires_at', '>', now)
        .returning(['user_id', 'email_key'])
        .executeTakeFirst(),

    forgetExpired: (now: number, most: number): Promise<number> =>
      deleteOldest(db, { table: 'email_keys', key: 'digest', time: 'expires_at' }, now, most),
  }
}
