import type { Kysely } from 'kysely'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Database } from '../../storage/schema.ts'

export type SpentProofsStore = ReturnType<typeof spentProofsStore>

export function spentProofsStore(db: Kysely<Database>) {
  return {
    /** Of parallel callers with one digest exactly one is told that it was the first. */
    async spend(digest: string, expiresAt: number): Promise<boolean> {
      const first = await db
        .insertInto('spent_proofs')
        .values({ digest, expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .returning('digest')
        .executeTakeFirst()
      return first !== undefined
    },

    /** For what turned out to be no proof at all. */
    forget: (digest: string) =>
      db.deleteFrom('spent_proofs').where('digest', '=', digest).execute(),

    forgetExpired: (now: number, most: number): Promise<number> =>
      deleteOldest(db, { table: 'spent_proofs', key: 'digest', time: 'expires_at' }, now, most),
  }
}
