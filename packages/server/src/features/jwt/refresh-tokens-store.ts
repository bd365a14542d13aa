import type { Kysely } from 'kysely'
import { deleteOldest } from '../../storage/delete-oldest.ts'
import type { Database } from '../../storage/schema.ts'

export type RefreshTokensStore = ReturnType<typeof refreshTokensStore>

export function refreshTokensStore(db: Kysely<Database>) {
  return {
    /** Tells whether it was unspent until now: of parallel calls exactly one hears yes. */
    async spend(token: Database['spent_refresh_tokens']): Promise<boolean> {
      const spent = await db
        .insertInto('spent_refresh_tokens')
        .values(token)
        .onConflict((conflict) => conflict.column('digest').doNothing())
        .returning('digest')
        .executeTakeFirst()
      return spent !== undefined
    },

    findSpent: (digest: string) =>
      db
        .selectFrom('spent_refresh_tokens')
        .selectAll()
        .where('digest', '=', digest)
        .executeTakeFirst(),

    forgetExpired: (now: number, most: number): Promise<number> =>
      deleteOldest(
        db,
        { table: 'spent_refresh_tokens', key: 'digest', time: 'expires_at' },
        now,
        most,
      ),
  }
}
