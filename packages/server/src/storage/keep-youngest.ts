import { sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'

/** Tables of things that a user begins, and that expire. */
type Begun = 'mfa_challenges' | 'totp_activations'

/** Keeps so many of a user, the youngest: nobody fills the database by beginning without end. */
export async function keepYoungest(
  handle: Handle,
  table: Begun,
  userId: number,
  count: number,
): Promise<void> {
  const kept = sql`select digest from ${sql.table(table)} where user_id = ${userId}
    order by expires_at desc, digest limit ${count}`
  const deletion = sql`delete from ${sql.table(table)}
    where user_id = ${userId} and digest not in (${kept})`
  await deletion.execute(kyselyOf(handle))
}
