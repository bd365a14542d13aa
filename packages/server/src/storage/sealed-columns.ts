import { type SqlBool, sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'
import type { Database } from './schema.ts'

/** Where something is sealed: a column, and the key of its table. */
export type SealedColumn = { table: keyof Database; keys: readonly string[]; column: string }

export type SealedRow = Readonly<Record<string, string | number>>

// `prefix` is what boxes of the key in use begin with.

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

/** In the order of the key, from the row after the given one. */
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

/** Only if it is still what was read: who replaced it meanwhile used the key in use. */
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

/** Sent mails are empty boxes. */
const isStale = (column: string, prefix: string) =>
  sql<SqlBool>`${sql.ref(column)} <> '' and substr(${sql.ref(column)}, 1, ${prefix.length}) <> ${prefix}`
