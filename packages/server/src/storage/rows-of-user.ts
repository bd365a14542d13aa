import { sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'
import type { Database } from './schema.ts'

type TableWith<Column extends string> = {
  [Table in keyof Database]: Column extends keyof Database[Table] ? Table : never
}[keyof Database]

/** The tables whose rows belong to a user. */
export type OwnedTable = TableWith<'user_id'>

export const deleteRowsOfUser = (handle: Handle, table: OwnedTable, userId: number) =>
  deleteRowsOf(handle, table, [userId])

export async function deleteRowsOf(
  handle: Handle,
  table: OwnedTable,
  userIds: readonly number[],
): Promise<void> {
  const deletion = sql`delete from ${sql.table(table)} where user_id in (${sql.join(userIds)})`
  await deletion.execute(kyselyOf(handle))
}

/** Tables that keep only so many rows of a user. */
type Limited = 'mfa_challenges' | 'totp_activations' | 'known_devices' | 'admin_sessions'

/**
 * Deletes all rows of the user but the newest `count`. Otherwise anybody could fill the database by
 * starting again and again.
 */
export async function keepYoungest(
  handle: Handle,
  table: Limited,
  userId: number,
  count: number,
): Promise<void> {
  const kept = sql`select digest from ${sql.table(table)} where user_id = ${userId}
    order by expires_at desc, digest limit ${count}`
  const deletion = sql`delete from ${sql.table(table)}
    where user_id = ${userId} and digest not in (${kept})`
  await deletion.execute(kyselyOf(handle))
}

/** The tables whose rows remember whether the user's address was unproved when they were added. */
export type WayInTable = TableWith<'added_unproved'>

/** Deletes all but those with the ids in `kept`. Returns how many there were. */
export async function deleteUnprovedRows(
  handle: Handle,
  table: WayInTable,
  userId: number,
  kept: readonly number[],
): Promise<number> {
  const others = kept.length === 0 ? sql`` : sql`and id not in (${sql.join(kept)})`
  const deletion = sql`delete from ${sql.table(table)}
    where user_id = ${userId} and added_unproved = 1 ${others}`
  const { numAffectedRows = 0n } = await deletion.execute(kyselyOf(handle))
  return Number(numAffectedRows)
}

/** The owner has confirmed the addition by their second factor. */
export async function markProved(handle: Handle, table: WayInTable, id: number): Promise<void> {
  const change = sql`update ${sql.table(table)} set added_unproved = 0 where id = ${id}`
  await change.execute(kyselyOf(handle))
}
