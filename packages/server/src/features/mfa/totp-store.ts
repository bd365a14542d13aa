import type { Kysely } from 'kysely'
import { compiledQuery } from '../../storage/compiled-query.ts'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Database } from '../../storage/schema.ts'

export type TotpStore = ReturnType<typeof totpStore>
export type Authenticator = Database['totp_authenticators']

export function totpStore(db: Kysely<Database>) {
  return {
    findOfUser: compiledQuery(db, (userId: number) =>
      db.selectFrom('totp_authenticators').selectAll().where('user_id', '=', userId),
    ),

    /** Of parallel activations one adds its row; the others are told nothing was added. */
    addIfNone: (authenticator: Authenticator): Promise<{ user_id: number } | undefined> =>
      db
        .insertInto('totp_authenticators')
        .values(authenticator)
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .returning('user_id')
        .executeTakeFirst(),

    /** Only a step that is newer than every accepted one, so that no code is good twice. */
    async acceptStep(userId: number, step: number, at: number): Promise<boolean> {
      const accepted = await db
        .updateTable('totp_authenticators')
        .set({ last_step: step, last_used_at: at })
        .where('user_id', '=', userId)
        .where('last_step', '<', step)
        .returning('user_id')
        .executeTakeFirst()
      return accepted !== undefined
    },

    /** Only if it is still the one that was read. */
    replaceSecret: (userId: number, old: string, sealed_secret: string) =>
      db
        .updateTable('totp_authenticators')
        .set({ sealed_secret })
        .where('user_id', '=', userId)
        .where('sealed_secret', '=', old)
        .execute(),

    noteUse: (userId: number, at: number) =>
      db
        .updateTable('totp_authenticators')
        .set({ last_used_at: at })
        .where('user_id', '=', userId)
        .execute(),

    async removeOfUser(userId: number): Promise<boolean> {
      const removed = await db
        .deleteFrom('totp_authenticators')
        .where('user_id', '=', userId)
        .returning('user_id')
        .executeTakeFirst()
      return removed !== undefined
    },

    addActivation: (activation: Database['totp_activations']) =>
      db.insertInto('totp_activations').values(activation).execute(),

    /** Keeps so many of a user, the youngest. */
    keepYoungestActivations: (userId: number, count: number) =>
      db
        .deleteFrom('totp_activations')
        .where('user_id', '=', userId)
        .where('digest', 'not in', (eb) =>
          eb
            .selectFrom('totp_activations')
            .select('digest')
            .where('user_id', '=', userId)
            .orderBy('expires_at', 'desc')
            .orderBy('digest')
            .limit(count),
        )
        .execute(),

    findActivation: (digest: string) =>
      db.selectFrom('totp_activations').selectAll().where('digest', '=', digest).executeTakeFirst(),

    /** The first activation to succeed ends them all; tells which ones there were. */
    async takeActivationsOfUser(userId: number): Promise<string[]> {
      const taken = await db
        .deleteFrom('totp_activations')
        .where('user_id', '=', userId)
        .returning('digest')
        .execute()
      return taken.map((row) => row.digest)
    },

    forgetExpiredActivations: (now: number, most: number): Promise<number> =>
      deleteOldest(db, { table: 'totp_activations', key: 'digest', time: 'expires_at' }, now, most),
  }
}
