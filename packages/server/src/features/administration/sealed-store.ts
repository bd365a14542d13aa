import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Database } from '../../storage/schema.ts'

export type SealedStore = ReturnType<typeof sealedStore>

/** Where something is sealed: a column, and the key of its table. */
export type SealedColumn = { table: keyof Database; keys: readonly string[]; column: string }

export type SealedRow = Readonly<Record<string, string | number>>

/** Over every table that has something sealed in it; `prefix` is what boxes of the key in use begin with. */
export function sealedStore(db: Kysely<Database>) {
  /** Sent mails are empty boxes. */
  const isStale = (column: string, prefix: string) =>
    sql<SqlBool>`${sql.ref(column)} <> '' and substr(${sql.ref(column)}, 1, ${prefix.length}) <> ${prefix}`

  return {
    async countStale({ table, column }: SealedColumn, prefix: string): Promise<number> {
      const { rows } = await sql<{
        n: number
      }>`select count(*) as n from ${sql.table(table)} where ${isStale(column, prefix)}`.execute(db)
      return Number(rows[0]?.n ?? 0)
    },

    /** In the order of the key, from the row after the given one. */
    async listStale(
      { table, keys, column }: SealedColumn,
      prefix: string,
      after: SealedRow | null,
      most: number,
    ): Promise<SealedRow[]> {
      const key = sql.join(keys.map((name) => sql.ref(name)))
      const from = after
        ? sql`and (${key}) > (${sql.join(keys.map((name) => after[name]))})`
        : sql``
      const { rows } = await sql<SealedRow>`
        select ${key}, ${sql.ref(column)} from ${sql.table(table)}
        where ${isStale(column, prefix)} ${from} order by ${key} limit ${most}`.execute(db)
      return rows
    },

    /** Only if it is still what was read: who replaced it meanwhile used the key in use. */
    async replace({ table, keys, column }: SealedColumn, row: SealedRow, changes: SealedRow) {
      const set = sql.join(
        Object.entries(changes).map(([name, to]) => sql`${sql.ref(name)} = ${to}`),
      )
      const same = sql.join(
        [...keys, column].map((name) => sql`${sql.ref(name)} = ${row[name]}`),
        sql` and `,
      )
      await sql`update ${sql.table(table)} set ${set} where ${same}`.execute(db)
    },
  }
}
