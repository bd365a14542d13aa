import type { Insertable, Kysely } from 'kysely'
import type { Database, SocialAccount } from '../../storage/schema.ts'

export type SocialAccountsStore = ReturnType<typeof socialAccountsStore>

type Identity = Pick<SocialAccount, 'provider' | 'issuer' | 'subject'>

export function socialAccountsStore(db: Kysely<Database>) {
  return {
    findByIdentity: ({ provider, issuer, subject }: Identity): Promise<SocialAccount | undefined> =>
      db
        .selectFrom('social_accounts')
        .selectAll()
        .where('provider', '=', provider)
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst(),

    listOfUser: (userId: number): Promise<SocialAccount[]> =>
      db
        .selectFrom('social_accounts')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute(),

    /** Adds nothing when the identity belongs to somebody already, whoever that is. */
    addIfFree: (
      account: Insertable<Database['social_accounts']>,
    ): Promise<SocialAccount | undefined> =>
      db
        .insertInto('social_accounts')
        .values(account)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst(),

    recordLogin: (id: number, at: number) =>
      db.updateTable('social_accounts').set({ last_login_at: at }).where('id', '=', id).execute(),

    removeOne: (userId: number, id: number): Promise<SocialAccount | undefined> =>
      db
        .deleteFrom('social_accounts')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returningAll()
        .executeTakeFirst(),

    /** Tells how many there were. */
    async removeAllOfUser(userId: number): Promise<number> {
      const removed = await db
        .deleteFrom('social_accounts')
        .where('user_id', '=', userId)
        .returning('id')
        .execute()
      return removed.length
    },

    isAnyOfUser: async (userId: number): Promise<boolean> => {
      const one = await db
        .selectFrom('social_accounts')
        .select('id')
        .where('user_id', '=', userId)
        .limit(1)
        .executeTakeFirst()
      return one !== undefined
    },
  }
}
