import { sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'

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
