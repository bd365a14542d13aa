import type { Insertable } from 'kysely'
import { chunks } from '../../../kernel/chunks.ts'
import { type Handle, kyselyOf } from '../../../storage/handle.ts'
import { change, many, one, whether } from '../../../storage/query.ts'
import type { Database, User } from '../../../storage/schema.ts'

export type AdoptedRow = Insertable<Database['users']>

type Unique = 'id' | 'uuid' | 'username_key' | 'email_key'

/** Which of these values users have already. */
export async function findTaken<Column extends Unique>(
  handle: Handle,
  column: Column,
  values: readonly NonNullable<User[Column]>[],
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
  rows: readonly AdoptedRow[],
): Promise<Pick<User, 'id' | 'uuid'>[]> =>
  kyselyOf(handle).insertInto('users').values(rows).returning(['id', 'uuid']).execute()

export const listUsersWithIds = (handle: Handle, ids: readonly number[]): Promise<User[]> =>
  kyselyOf(handle).selectFrom('users').selectAll().where('id', 'in', ids).execute()

export const listUsersNamed = many((db, key: string) =>
  db.selectFrom('users').select('id').where('username_key', '=', key),
)

export const changeAdopted = (handle: Handle, id: number, changes: Partial<AdoptedRow>) =>
  kyselyOf(handle).updateTable('users').set(changes).where('id', '=', id).execute()

/** A later login, here or there, counts. */
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

/** An address that was brought over before keeps its id and takes its new values. */
export async function putAddresses(handle: Handle, addresses: readonly Address[]): Promise<void> {
  // One statement has room for so many values.
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

export const findDjangoUser = one((db, userId: number) =>
  db.selectFrom('django_users').select(['email', 'address']).where('user_id', '=', userId),
)

export const keepNothingButKey = change((db, userId: number) =>
  db
    .updateTable('django_users')
    .set({ user_id: null, email: '', address: '', parts: '{}' })
    .where('user_id', '=', userId),
)

export const dropFindingsAbout = change((db, userId: number) =>
  db
    .deleteFrom('django_findings')
    .where('source_key', 'in', (eb) =>
      eb.selectFrom('django_users').select('source_key').where('user_id', '=', userId),
    ),
)

export const findDjangoAddress = one((db, id: number) =>
  db.selectFrom('django_addresses').selectAll().where('id', '=', id),
)

export const verifyDjangoAddress = whether((db, id: number) =>
  db
    .updateTable('django_addresses')
    .set({ verified: 1 })
    .where('id', '=', id)
    .where('verified', '=', 0)
    .returning('id'),
)

export const dropDjangoAddress = change((db, userId: number, emailKey: string) =>
  db.deleteFrom('django_addresses').where('user_id', '=', userId).where('email_key', '=', emailKey),
)

export const removeAddressesOf = change((db, userId: number) =>
  db.deleteFrom('django_addresses').where('user_id', '=', userId),
)

export const listAddressesOf = (handle: Handle, userIds: readonly number[]): Promise<Address[]> =>
  kyselyOf(handle)
    .selectFrom('django_addresses')
    .selectAll()
    .where('user_id', 'in', userIds)
    .orderBy('id')
    .execute()
