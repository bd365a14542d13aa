import type { Kysely } from 'kysely'
import type { Database } from '../../storage/schema.ts'

export type RecoveryCodesStore = ReturnType<typeof recoveryCodesStore>

export function recoveryCodesStore(db: Kysely<Database>) {
  return {
    listOfUser: (userId: number) =>
      db
        .selectFrom('recovery_codes')
        .select(['digest', 'sealed_code'])
        .where('user_id', '=', userId)
        .orderBy('position')
        .execute(),

    async countOfUser(userId: number): Promise<number> {
      const { count } = await db
        .selectFrom('recovery_codes')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return count
    },

    add: (codes: Database['recovery_codes'][]) =>
      db.insertInto('recovery_codes').values(codes).execute(),

    /** Of parallel uses of one code exactly one gets its row. */
    async use(userId: number, digests: readonly string[]): Promise<boolean> {
      const used = await db
        .deleteFrom('recovery_codes')
        .where('user_id', '=', userId)
        .where('digest', 'in', digests)
        .returning('digest')
        .executeTakeFirst()
      return used !== undefined
    },

    removeOfUser: (userId: number) =>
      db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute(),
  }
}
