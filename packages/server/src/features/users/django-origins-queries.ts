import { type Handle, kyselyOf } from '../../storage/handle.ts'
import { change, one, whether } from '../../storage/query.ts'
import type { Database } from '../../storage/schema.ts'

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

export const listAddressesOf = (
  handle: Handle,
  userIds: readonly number[],
): Promise<Database['django_addresses'][]> =>
  kyselyOf(handle)
    .selectFrom('django_addresses')
    .selectAll()
    .where('user_id', 'in', userIds)
    .orderBy('id')
    .execute()
