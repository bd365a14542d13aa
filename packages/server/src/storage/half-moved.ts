import { sql } from 'kysely'
import type { Connection } from './connect.ts'
import { type Handle, kyselyOf } from './handle.ts'
import { hasTable } from './has-table.ts'

/** Exists from the beginning of a move into a database to its end. */
const NAME = 'latchkey_move'
const MARK = sql.table(NAME)

export const isHalfMoved = (connection: Connection): Promise<boolean> => hasTable(connection, NAME)

/** A service with some of its users would be worse than none. */
export async function refuseHalfMoved(connection: Connection): Promise<void> {
  if (!(await isHalfMoved(connection))) return
  throw new Error(
    'The database is only half moved: a "latchkey move" into it has not finished. Run the same move again.',
  )
}

export async function markHalfMoved(handle: Handle): Promise<void> {
  await sql`create table if not exists ${MARK} (id integer primary key)`.execute(kyselyOf(handle))
}

/** On PostgreSQL. Throws if another mover has it. It ends with the transaction. */
export async function lockHalfMoved(handle: Handle): Promise<void> {
  await sql`lock table ${MARK} in exclusive mode nowait`.execute(kyselyOf(handle))
}

export async function unmarkHalfMoved(handle: Handle): Promise<void> {
  await sql`drop table if exists ${MARK}`.execute(kyselyOf(handle))
}
