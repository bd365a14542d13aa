import { sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'
import type { Database } from './schema.ts'

/** Rows that are of no use after a time: their table, its key, and the column with that time. */
type Expiring<Table extends keyof Database> = {
  table: Table
  key: keyof Database[Table] & string
  time: keyof Database[Table] & string
  /** Only those whose column has this value; an index must begin with it. */
  where?: { column: keyof Database[Table] & string; is: string }
}

/**
 * Deletes at most so many, the oldest first, and tells how many: a statement that is over soon,
 * however many there are. The time is asked for twice, since a row may be given a new one between
 * being chosen and being deleted, as limits are.
 */
export async function deleteOldest<Table extends keyof Database>(
  handle: Handle,
  { table, key, time, where }: Expiring<Table>,
  until: number,
  most: number,
): Promise<number> {
  const only = where ? sql`${sql.ref(where.column)} = ${where.is} and` : sql``
  const isOver = sql`${only} ${sql.ref(time)} <= ${until}`
  const chosen = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${isOver} order by ${sql.ref(time)} limit ${most}`
  const deletion = sql`delete from ${sql.table(table)} where ${isOver} and ${sql.ref(key)} in (${chosen})`
  const { numAffectedRows = 0n } = await deletion.execute(kyselyOf(handle))
  return Number(numAffectedRows)
}
