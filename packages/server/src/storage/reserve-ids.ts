import { SqliteAdapter, sql } from 'kysely'
import { type Handle, kyselyOf } from './handle.ts'

/** Lets new rows of the table get ids above the given one, unless they get higher ones already. */
export async function reserveIds(
  handle: Handle,
  table: 'users' | 'passkeys' | 'social_accounts',
  upTo: number,
): Promise<void> {
  const db = kyselyOf(handle)
  if (db.getExecutor().adapter instanceof SqliteAdapter) {
    await sql`insert into sqlite_sequence (name, seq) select ${table}, 0
      where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db)
    await sql`update sqlite_sequence set seq = max(seq, ${upTo}) where name = ${table}`.execute(db)
    return
  }
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')`
  await sql`select setval(${sequence},
    greatest(${upTo}, coalesce(pg_sequence_last_value(${sequence}), 1)))`.execute(db)
}
