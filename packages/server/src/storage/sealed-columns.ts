import { type SqlBool, sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'
import type { Database } from './schema.ts'

/** A column with sealed values, and the key of its table. */
export type SealedColumn = { table: keyof Database; keys: readonly string[]; column: string }

export type SealedRow = Readonly<Record<string, string | number>>

// `prefix` is the beginning of all boxes of the current key.

export async function countStale(
  handle: Handle,
  { table, column }: SealedColumn,
  prefix: string,
): Promise<number> {
  const counting = sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${isStale(column, prefix)}`
  const { rows } = await counting.execute(kyselyOf(handle))
  return rows[0]?.count ?? 0
}

/** In the order of the key, after the given row. */
export async function listStale(
  handle: Handle,
  { table, keys, column }: SealedColumn,
  prefix: string,
  { after, most }: { after: SealedRow | null; most: number },
): Promise<SealedRow[]> {
  const key = sql.join(keys.map((name) => sql.ref(name)))
  const from = after ? sql`and (${key}) > (${sql.join(keys.map((name) => after[name]))})` : sql``
  const listing = sql<SealedRow>`
    select ${key}, ${sql.ref(column)} from ${sql.table(table)}
    where ${isStale(column, prefix)} ${from} order by ${key} limit ${most}`
  return (await listing.execute(kyselyOf(handle))).rows
}

/** Only if the value is still the same. Whoever replaced it meanwhile used the current key. */
export async function replaceStale(
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

/** The boxes of sent mails are empty, and not stale. */
const isStale = (column: string, prefix: string) =>
  sql<SqlBool>`${sql.ref(column)} <> '' and substr(${sql.ref(column)}, 1, ${prefix.length}) <> ${prefix}`
