import type { Kysely } from 'kysely'
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

    /** Of parallel calls one gets it. */
    take: (key: string): Promise<PasskeyChallenge | undefined> =>
      db.deleteFrom('passkey_challenges').where('key', '=', key).returningAll().executeTakeFirst(),

    forgetExpired: (now: number, most: number): Promise<number> =>
      deleteOldest(db, { table: 'passkey_challenges', key: 'key', time: 'expires_at' }, now, most),
  }
}
