import { type AliasedRawBuilder, type Compilable, type Kysely, sql } from 'kysely'
import type { Handle } from './handle.ts'
import { one } from './query.ts'
import type { Database } from './schema.ts'

type HasFactor = AliasedRawBuilder<number, 'has_factor'>

/** A query with the table `users` in it, to which a column can be added. */
type Selecting<Row> = Compilable<Row> & { select(column: HasFactor): Compilable<unknown> }

type Owner<Row> = Row & { has_factor?: number }

/** Whether the user has a second factor. It is a part of the same statement, by its primary key. */
const hasFactor: HasFactor = sql<number>`case when exists (
  select 1 from totp_authenticators where totp_authenticators.user_id = users.id
) then 1 else 0 end`.as('has_factor')

/**
 * A query for the owner of a credential. If the caller asks, it also tells whether the owner has a
 * second factor. Otherwise that costs nothing.
 */
export function ownerBy<Values extends unknown[], Row>(
  build: (db: Kysely<Database>, ...values: Values) => Selecting<Row>,
) {
  const plain = one(build)
  const asking = one((db: Kysely<Database>, ...values: Values) =>
    build(db, ...values).select(hasFactor),
  )
  return (handle: Handle, { asksFactor }: { asksFactor: boolean }, ...values: Values) =>
    (asksFactor ? asking : plain)(handle, ...values) as Promise<Owner<Row> | undefined>
}
