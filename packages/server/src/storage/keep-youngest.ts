import { sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'

/** Tables of things of a user that expire. */
type Expiring = 'mfa_challenges' | 'totp_activations' | 'known_devices' | 'admin_sessions'

/** Keeps so many of a user, the youngest: nobody fills the database by beginning without end. */
export async function keepYoungest(
  handle: Handle,
  table: Expiring,
  userId: number,
  count: number,
): Promise<void> {
  const kept = sql`select digest from ${sql.table(table)} where user_id = ${userId}
    order by expires_at desc, digest limit ${count}`
  const deletion = sql`delete from ${sql.table(table)}
    where user_id = ${userId} and digest not in (${kept})`
  await deletion.execute(kyselyOf(handle))
}
