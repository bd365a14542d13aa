import type { Insertable, Kysely } from 'kysely'
import type { Database, Flag, Passkey } from '../../storage/schema.ts'

export type PasskeysStore = ReturnType<typeof passkeysStore>
export type NewPasskey = Omit<Insertable<Database['passkeys']>, 'id'>
export type Use = { signCount: number; backedUp: Flag; at: number }

export function passkeysStore(db: Kysely<Database>) {
  const passkeys = db.selectFrom('passkeys').selectAll('passkeys')

  return {
    addOwner: (userId: number, handle: string) =>
      db
        .insertInto('passkey_owners')
        .values({ user_id: userId, handle })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),

    findOwner: (userId: number) =>
      db
        .selectFrom('passkey_owners')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow(),

    /** Newest first. */
    listOfUser: (userId: number): Promise<Passkey[]> =>
      passkeys.where('user_id', '=', userId).orderBy('id', 'desc').execute(),

    isAnyOfUser: async (userId: number): Promise<boolean> =>
      (await passkeys.where('user_id', '=', userId).limit(1).executeTakeFirst()) !== undefined,

    findOfUser: (userId: number, id: number): Promise<Passkey | undefined> =>
      passkeys.where('user_id', '=', userId).where('id', '=', id).executeTakeFirst(),

    findByCredentialId: (credentialId: string) =>
      passkeys
        .innerJoin('passkey_owners', 'passkey_owners.user_id', 'passkeys.user_id')
        .select('passkey_owners.handle')
        .where('credential_id', '=', credentialId)
        .executeTakeFirst(),

    /** Adds nothing when the credential is known already, whoever it belongs to. */
    addIfNew: (passkey: NewPasskey): Promise<Passkey | undefined> =>
      db
        .insertInto('passkeys')
        .values(passkey)
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returningAll()
        .executeTakeFirst(),

    /** Only forwards: a counter that does not grow tells of a copy, unless it never counts. */
    recordUse: (id: number, { signCount, backedUp, at }: Use) =>
      db
        .updateTable('passkeys')
        .set({ sign_count: signCount, backed_up: backedUp, last_used_at: at })
        .where('id', '=', id)
        .where((eb) =>
          signCount === 0 ? eb('sign_count', '=', 0) : eb('sign_count', '<', signCount),
        )
        .returning('id')
        .executeTakeFirst(),

    rename: (userId: number, id: number, name: string): Promise<Passkey | undefined> =>
      db
        .updateTable('passkeys')
        .set({ name })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),

    /** Tells how many there were. */
    async removeAllOfUser(userId: number): Promise<number> {
      const removed = await db
        .deleteFrom('passkeys')
        .where('user_id', '=', userId)
        .returning('id')
        .execute()
      return removed.length
    },

    remove: (userId: number, id: number) =>
      db
        .deleteFrom('passkeys')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst(),
  }
}
