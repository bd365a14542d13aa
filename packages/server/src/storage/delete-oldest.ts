import { sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'
import type { Database } from './schema.ts'

/** Rows that expire: their table, its key, and the column with the time. */
export type Expiring = {
  [Table in keyof Database]: {
    table: Table
    key: keyof Database[Table] & string
    time: keyof Database[Table] & string
    /** Only rows with this value. An index must begin with this column. */
    where?: { column: keyof Database[Table] & string; is: string }
  }
}[keyof Database]

/**
 * Deletes at most `most` rows, the oldest first, and returns their number. So the statement is
 * short, however many rows have expired. The time is compared twice: a row may get a new time
 * between the selection and the delete, as limits do.
 */
export async function deleteOldest(
  handle: Handle,
  { table, key, time, where }: Expiring,
  until: number,
  most: number,
): Promise<number> {
  const only = where ? sql`${sql.ref(where.column)} = ${where.is} and` : sql``
  const isOver = sql`${only} ${sql.ref(time)} <= ${until}`
  const chosen = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${isOver} order by ${sql.ref(time)} limit ${most}`
  // `is true` keeps the database from searching for the rows by their time a second time. PostgreSQL did
  // so if it expected few of them, and then chose all of them again for each row: 39 seconds, not 28 ms.
  const deletion = sql`delete from ${sql.table(table)} where (${isOver}) is true and ${sql.ref(key)} in (${chosen})`
  const { numAffectedRows = 0n } = await deletion.execute(kyselyOf(handle))
  return Number(numAffectedRows)
}
