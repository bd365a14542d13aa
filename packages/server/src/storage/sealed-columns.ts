import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'
import type { Database } from './schema.ts'

/** A column with sealed values, and the key of its table. */
export type SealedColumn = { table: keyof Database; keys: readonly string[]; column: string }

export type SealedRow = Readonly<Record<string, string | number | null>>

// `prefix` is the beginning of all boxes of the current key.

export async function countOutdated(
  handle: Handle,
  { table, column }: SealedColumn,
  prefix: string,
): Promise<number> {
  const counting = sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${isOutdated(column, prefix)}`
  const { rows } = await counting.execute(kyselyOf(handle))
  return rows[0]?.count ?? 0
}

/** In the order of the key, after the given row. */
export const listOutdated = (handle: Handle, column: SealedColumn, prefix: string, page: Page) =>
  list(handle, column, isOutdated(column.column, prefix), page)

/** The same for all rows, also without a value: to skip those, one statement might read a whole table. */
export const listSealed = (handle: Handle, column: SealedColumn, page: Page) =>
  list(handle, column, sql<SqlBool>`true`, page)

type Page = { after: SealedRow | null; most: number }

async function list(
  handle: Handle,
  { table, keys, column }: SealedColumn,
  which: RawBuilder<SqlBool>,
  { after, most }: Page,
): Promise<SealedRow[]> {
  const key = sql.join(keys.map((name) => sql.ref(name)))
  const from = after ? sql`and (${key}) > (${sql.join(keys.map((name) => after[name]))})` : sql``
  const listing = sql<SealedRow>`
    select ${key}, ${sql.ref(column)} from ${sql.table(table)}
    where ${which} ${from} order by ${key} limit ${most}`
  return (await listing.execute(kyselyOf(handle))).rows
}

/** Changes nothing if the value was replaced in the meantime, since that used the current key. */
export async function replaceOutdated(
  handle: Handle,
  { table, keys, column }: SealedColumn,
  row: SealedRow,
  changes: SealedRow,
): Promise<void> {
  const set = Object.entries(changes).map(([name, to]) => sql`${sql.ref(name)} = ${to}`)
  const same = [...keys, column].map((name) => sql`${sql.ref(name)} = ${row[name]}`)
  const update = sql`
    update ${sql.table(table)} set ${sql.join(set)} where ${sql.join(same, sql` and `)}`
  await update.execute(kyselyOf(handle))
}

/** The boxes of sent mails are empty, and not outdated. */
const isOutdated = (column: string, prefix: string) =>
  sql<SqlBool>`${sql.ref(column)} <> '' and substr(${sql.ref(column)}, 1, ${prefix.length}) <> ${prefix}`
