import { sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'
import type { Database } from './schema.ts'

/** The tables whose rows belong to a user. */
export type OwnedTable = {
  [Table in keyof Database]: 'user_id' extends keyof Database[Table] ? Table : never
}[keyof Database]

export async function deleteRowsOfUser(
  handle: Handle,
  table: OwnedTable,
  userId: number,
): Promise<void> {
  await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(kyselyOf(handle))
}
