import { chunks } from '../../../kernel/chunks.ts'
import { type Handle, kyselyOf } from '../../../storage/handle.ts'
import { change, one } from '../../../storage/query.ts'
import type { Database, UserRow } from '../../../storage/schema.ts'
import type { NewUser } from '../users-queries.ts'

type Unique = 'id' | 'uuid' | 'username_key' | 'email_key'

/** Which of these values users have already. */
export async function findTaken<Column extends Unique>(
  handle: Handle,
  column: Column,
  values: readonly NonNullable<UserRow[Column]>[],
): Promise<Set<unknown>> {
  if (values.length === 0) return new Set()
  const rows = await kyselyOf(handle)
    .selectFrom('users')
    .select(column as Unique)
    .where(column as Unique, 'in', values as readonly never[])
    .execute()
  return new Set(rows.map((row) => row[column as Unique]))
}

export const addUsers = (
  handle: Handle,
  rows: readonly NewUser[],
): Promise<Pick<UserRow, 'id' | 'uuid'>[]> =>
  kyselyOf(handle).insertInto('users').values(rows).returning(['id', 'uuid']).execute()

export const listUsersWithIds = (handle: Handle, ids: readonly number[]): Promise<UserRow[]> =>
  kyselyOf(handle).selectFrom('users').selectAll().where('id', 'in', ids).execute()

/** The later of two logins counts. */
export const noteLoginAt = change((db, id: number, at: number) =>
  db
    .updateTable('users')
    .set({ last_login_at: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_login_at', 'is', null), eb('last_login_at', '<', at)])),
)

export const findHolderOfAddress = one((db, key: string) =>
  db.selectFrom('users').select('id').where('email_key', '=', key),
)

type Address = Database['django_addresses']

/** Which of these addresses are verified further addresses of users. */
export async function findVerifiedFurther(
  handle: Handle,
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await kyselyOf(handle)
    .selectFrom('django_addresses')
    .select('email_key')
    .where('verified', '=', 1)
    .where('email_key', 'in', keys)
    .execute()
  return new Set(rows.map(({ email_key }) => email_key))
}

/** An address that was adopted before keeps its id and takes its new values. */
export async function putAddresses(handle: Handle, addresses: readonly Address[]): Promise<void> {
  // A statement takes a limited number of values.
  for (const some of chunks(addresses, 1000)) {
    await kyselyOf(handle)
      .insertInto('django_addresses')
      .values(some)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          user_id: eb.ref('excluded.user_id'),
          email: eb.ref('excluded.email'),
          email_key: eb.ref('excluded.email_key'),
          verified: eb.ref('excluded.verified'),
        })),
      )
      .execute()
  }
}
