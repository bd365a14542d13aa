import { type Kysely, sql } from 'kysely'
import { type Handle, isSqlite, kyselyOf } from './handle.ts'

/** Lets new rows of the table get ids above the given one, unless they get higher ones already. */
export async function reserveIds(handle: Handle, table: string, upTo: number): Promise<void> {
  const db = kyselyOf(handle)
  if (isSqlite(db)) return raiseSequence(db, table, upTo)
  const sequence = sequenceOf(table)
  await sql`select setval(${sequence},
    greatest(${upTo}, coalesce(pg_sequence_last_value(${sequence}), 1)))`.execute(db)
}

/** The last id that was given out, also to a row that is gone by now. */
export async function lastIdOf(handle: Handle, table: string): Promise<number> {
  const db = kyselyOf(handle)
  const query = isSqlite(db)
    ? sql<{ id: unknown }>`select seq as id from sqlite_sequence where name = ${table}`
    : sql<{ id: unknown }>`select pg_sequence_last_value(${sequenceOf(table)}) as id`
  return Number((await query.execute(db)).rows[0]?.id ?? 0)
}

/** Lets the next row get the id after the given one. In a transaction, on a table with no higher id. */
export async function setLastId(handle: Handle, table: string, id: number): Promise<void> {
  const db = kyselyOf(handle)
  if (isSqlite(db)) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
    if (id > 0) await raiseSequence(db, table, id)
    return
  }
  await sql`select setval(${sequenceOf(table)}, ${Math.max(id, 1)}, ${id > 0})`.execute(db)
}

const sequenceOf = (table: string) => sql`pg_get_serial_sequence(${table}, 'id')`

/** For a table of SQLite with AUTOINCREMENT, in a transaction. */
export async function raiseSequence<DB>(
  db: Kysely<DB>,
  table: string,
  upTo: number,
): Promise<void> {
  await sql`insert into sqlite_sequence (name, seq) select ${table}, 0
    where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db)
  await sql`update sqlite_sequence set seq = max(seq, ${upTo}) where name = ${table}`.execute(db)
}
