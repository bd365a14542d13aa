import { sql } from 'kysely'
import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, many, one } from '../../storage/query.ts'
import type { Database, User } from '../../storage/schema.ts'

export const findNewestUser = one((db) =>
  db.selectFrom('users').select('uuid').orderBy('id', 'desc').limit(1),
)

export const listUsersWithoutSkeleton = many((db, after: number, count: number) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('id', '>', after)
    .where('username_skeleton', 'is', null)
    .orderBy('id')
    .limit(count),
)

export async function findHeldSkeletons(
  handle: Handle,
  among: readonly string[],
): Promise<(string | null)[]> {
  const held = await kyselyOf(handle)
    .selectFrom('users')
    .select('username_skeleton')
    .where('username_skeleton', 'in', among)
    .execute()
  return held.map((row) => row.username_skeleton)
}

/** Sets skeletons in one statement. Users whose name has changed meanwhile are left out. */
export async function holdSkeletons(
  handle: Handle,
  given: readonly (readonly [skeleton: string, user: User])[],
): Promise<void> {
  const rows = given.map(([skeleton, { id, username }]) => sql`(${id}, ${username}, ${skeleton})`)
  await sql`update users set username_skeleton = given.column3
    from (values ${sql.join(rows)}) as given
    where users.id = cast(given.column1 as integer) and users.username = given.column2
    and users.username_skeleton is null`.execute(kyselyOf(handle))
}

/** Skips values that somebody already holds. */
export async function holdValues(
  handle: Handle,
  held: readonly Database['unique_user_fields'][],
): Promise<void> {
  await kyselyOf(handle)
    .insertInto('unique_user_fields')
    .values(held)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The holders of these values, by digest. */
export async function findHolders(
  handle: Handle,
  name: string,
  digests: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await kyselyOf(handle)
    .selectFrom('unique_user_fields')
    .select(['digest', 'user_id'])
    .where('name', '=', name)
    .where('digest', 'in', digests)
    .execute()
  return new Map(rows.map(({ digest, user_id }) => [digest, user_id]))
}

export const listCovered = many((db) => db.selectFrom('covered_user_fields').select('name'))

export const markCovered = change((db, name: string) =>
  db
    .insertInto('covered_user_fields')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing()),
)

export const forgetCovered = change((db, name: string) =>
  db.deleteFrom('covered_user_fields').where('name', '=', name),
)
