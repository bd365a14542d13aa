import { type Insertable, type Kysely, sql } from 'kysely'
import { compiledQuery } from '../../storage/compiled-query.ts'
import type { Database, User } from '../../storage/schema.ts'

export type UsersStore = ReturnType<typeof usersStore>
export type NewUser = Omit<Insertable<Database['users']>, 'id' | 'epoch' | 'revoked_at'>
export type UserChanges = Partial<
  Pick<User, 'username' | 'username_key' | 'username_skeleton' | 'first_name' | 'last_name'>
>

export function usersStore(db: Kysely<Database>) {
  const users = db.selectFrom('users').selectAll()

  return {
    findById: compiledQuery(db, (id: number) => users.where('id', '=', id)),
    findByUsername: compiledQuery(db, (key: string) => users.where('username_key', '=', key)),
    findByEmail: compiledQuery(db, (key: string) => users.where('email_key', '=', key)),

    findBySkeleton: (skeleton: string): Promise<User | undefined> =>
      users.where('username_skeleton', '=', skeleton).executeTakeFirst(),

    listWithoutSkeleton: (after: number, count: number): Promise<User[]> =>
      users
        .where('id', '>', after)
        .where('username_skeleton', 'is', null)
        .orderBy('id')
        .limit(count)
        .execute(),

    async heldSkeletons(among: readonly string[]): Promise<(string | null)[]> {
      const held = await db
        .selectFrom('users')
        .select('username_skeleton')
        .where('username_skeleton', 'in', among)
        .execute()
      return held.map((row) => row.username_skeleton)
    },

    /** All in one statement; not to users who have got another name since. */
    async holdSkeletons(given: readonly (readonly [skeleton: string, user: User])[]) {
      const rows = given.map(
        ([skeleton, { id, username }]) => sql`(${id}, ${username}, ${skeleton})`,
      )
      await sql`update users set username_skeleton = given.column3
        from (values ${sql.join(rows)}) as given
        where users.id = cast(given.column1 as integer) and users.username = given.column2
        and users.username_skeleton is null`.execute(db)
    },

    list: (after: number, count: number): Promise<User[]> =>
      users.where('id', '>', after).orderBy('id').limit(count).execute(),

    /** Adds nobody when the name or the address is taken; a transaction lives on. */
    addIfFree: (user: NewUser): Promise<User | undefined> =>
      db
        .insertInto('users')
        .values(user)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst(),

    change: (id: number, changes: UserChanges): Promise<User | undefined> =>
      db.updateTable('users').set(changes).where('id', '=', id).returningAll().executeTakeFirst(),

    /** The user as he is now; nobody else changes him until the transaction ends. */
    lock: (id: number): Promise<User | undefined> =>
      db
        .updateTable('users')
        .set((eb) => ({ epoch: eb.ref('epoch') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),

    /** Only while the user is active and nothing that he proved has been voided since. */
    recordLogin: ({ id, epoch }: User, at: number): Promise<User | undefined> =>
      db
        .updateTable('users')
        .set({ last_login_at: at })
        .where('id', '=', id)
        .where('is_active', '=', 1)
        .where('epoch', '=', epoch)
        .returningAll()
        .executeTakeFirst(),

    /** The same password under a newer hash, unless somebody else was quicker. */
    rehashPassword: (id: number, from: string, to: string) =>
      db
        .updateTable('users')
        .set({ password: to })
        .where('id', '=', id)
        .where('password', '=', from)
        .execute(),

    /**
     * A new password and a proved address, unless anything that a reset token was made from has
     * changed since.
     */
    resetPassword: (user: User, password: string): Promise<User | undefined> =>
      db
        .updateTable('users')
        .set((eb) => ({ password, email_verified: 1, epoch: eb('epoch', '+', 1) }))
        .where('id', '=', user.id)
        .where('is_active', '=', 1)
        .where('epoch', '=', user.epoch)
        .where('email', '=', user.email)
        .where('last_login_at', user.last_login_at === null ? 'is' : '=', user.last_login_at)
        .returningAll()
        .executeTakeFirst(),

    /** A new password, unless what the caller proved has been voided since. */
    changePassword: ({ id, epoch }: User, password: string): Promise<User | undefined> =>
      db
        .updateTable('users')
        .set((eb) => ({ password, epoch: eb('epoch', '+', 1) }))
        .where('id', '=', id)
        .where('is_active', '=', 1)
        .where('epoch', '=', epoch)
        .returningAll()
        .executeTakeFirst(),

    /** Only if it still is his address. */
    markVerified: (id: number, emailKey: string): Promise<User | undefined> =>
      db
        .updateTable('users')
        .set({ email_verified: 1 })
        .where('id', '=', id)
        .where('email_key', '=', emailKey)
        .returningAll()
        .executeTakeFirst(),

    replacePassword: (id: number, password: string) =>
      db
        .updateTable('users')
        .set((eb) => ({ password, epoch: eb('epoch', '+', 1) }))
        .where('id', '=', id)
        .execute(),

    setActive: (id: number, active: boolean) =>
      db
        .updateTable('users')
        .set((eb) => ({ is_active: active ? 1 : 0, epoch: eb('epoch', '+', 1) }))
        .where('id', '=', id)
        .execute(),

    noteRevocation: (id: number, at: number) =>
      db.updateTable('users').set({ revoked_at: at }).where('id', '=', id).execute(),

    async count(): Promise<number> {
      const all = db.selectFrom('users').select((eb) => eb.fn.countAll<number>().as('n'))
      return Number((await all.executeTakeFirstOrThrow()).n)
    },

    /** In the order of their ids, from the one after the given one. */
    async idsAfter(id: number, most: number): Promise<number[]> {
      const rows = await db
        .selectFrom('users')
        .select('id')
        .where('id', '>', id)
        .orderBy('id')
        .limit(most)
        .execute()
      return rows.map((row) => row.id)
    },

    remove: (id: number) => db.deleteFrom('users').where('id', '=', id).execute(),
  }
}
