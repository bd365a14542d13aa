import type { Kysely } from 'kysely'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Database } from '../../storage/schema.ts'

export type MfaChallengesStore = ReturnType<typeof mfaChallengesStore>
export type Challenge = Database['mfa_challenges']

export function mfaChallengesStore(db: Kysely<Database>) {
  return {
    add: (challenge: Challenge) => db.insertInto('mfa_challenges').values(challenge).execute(),

    /** Keeps so many of a user, the youngest. */
    keepYoungest: (userId: number, count: number) =>
      db
        .deleteFrom('mfa_challenges')
        .where('user_id', '=', userId)
        .where('digest', 'not in', (eb) =>
          eb
            .selectFrom('mfa_challenges')
            .select('digest')
            .where('user_id', '=', userId)
            .orderBy('expires_at', 'desc')
            .orderBy('digest')
            .limit(count),
        )
        .execute(),

    findLive: (digest: string, now: number): Promise<Challenge | undefined> =>
      db
        .selectFrom('mfa_challenges')
        .selectAll()
        .where('digest', '=', digest)
        .where('tries_left', '>', 0)
        .where('expires_at', '>', now)
        .executeTakeFirst(),

    /** However many guess at once, no more of them get a try than there are. */
    takeTry: (digest: string, now: number): Promise<Challenge | undefined> =>
      db
        .updateTable('mfa_challenges')
        .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
        .where('digest', '=', digest)
        .where('tries_left', '>', 0)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst(),

    remove: (digest: string) =>
      db.deleteFrom('mfa_challenges').where('digest', '=', digest).execute(),

    removeOfUser: (userId: number) =>
      db.deleteFrom('mfa_challenges').where('user_id', '=', userId).execute(),

    forgetExpired: (now: number, most: number): Promise<number> =>
      deleteOldest(db, { table: 'mfa_challenges', key: 'digest', time: 'expires_at' }, now, most),
  }
}
