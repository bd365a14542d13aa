import { type Kysely, sql } from 'kysely'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Database, PasskeyChallenge } from '../../storage/schema.ts'

export type PasskeyChallengesStore = ReturnType<typeof passkeyChallengesStore>

export function passkeyChallengesStore(db: Kysely<Database>) {
  return {
    /** In the place of an older one for the same thing. */
    put: (challenge: PasskeyChallenge) =>
      db
        .insertInto('passkey_challenges')
        .values(challenge)
        .onConflict((conflict) => conflict.column('key').doUpdateSet(challenge))
        .execute(),

    /** Only where nothing is that has not expired; tells whether it was put. */
    async putIfFree(challenge: PasskeyChallenge, now: number): Promise<boolean> {
      const added = await db
        .insertInto('passkey_challenges')
        .values(challenge)
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet(challenge)
            .where('passkey_challenges.expires_at', '<=', now),
        )
        .returning('key')
        .executeTakeFirst()
      return added !== undefined
    },

    /** Of parallel calls one gets it; those whose digest begins otherwise do not. */
    take: (key: string, beginning: string): Promise<PasskeyChallenge | undefined> =>
      db
        .deleteFrom('passkey_challenges')
        .where('key', '=', key)
        .where(sql`substr(digest, 1, ${beginning.length})`, '=', beginning)
        .returningAll()
        .executeTakeFirst(),

    forgetExpired: (now: number, most: number): Promise<number> =>
      deleteOldest(db, { table: 'passkey_challenges', key: 'key', time: 'expires_at' }, now, most),
  }
}
