import { type Kysely, sql } from 'kysely'
import type { Connection } from '../connect.ts'
import { type Handle, handleOf } from '../handle.ts'
import type { Database } from '../schema.ts'
import type { MovedTable } from './describe-tables.ts'

/** How long a lock waits for writes that are under way. */
const LOCK_WAIT = '30s'

type Work<T> = (trx: Kysely<Database>) => Promise<T>

/** Reads the database as it is now. Others may go on writing. */
export async function withSnapshot<T>(connection: Connection, work: Work<T>): Promise<T> {
  const { patientDb, engine } = connection
  if (engine === 'postgres') {
    return patientDb.transaction().execute(async (trx) => {
      await sql`set transaction isolation level repeatable read, read only`.execute(trx)
      await limitLockWaits(trx)
      return work(trx)
    })
  }
  // `begin` alone would take the lock that writers need.
  return patientDb.connection().execute(async (one) => {
    await sql`begin deferred`.execute(one)
    try {
      return await work(one)
    } finally {
      // After a failure of the disk it is refused. Its error would hide the first one.
      await sql`rollback`.execute(one).catch(() => {})
    }
  })
}

/**
 * Reads the database as it is, while nobody can write to it. The lock ends with this process, however it
 * ends. The snapshot of PostgreSQL begins after the lock, so it misses no write.
 */
export const withLockedSnapshot = <T>(
  { patientDb, engine }: Connection,
  tables: readonly MovedTable[],
  work: Work<T>,
): Promise<T> =>
  patientDb.transaction().execute(async (trx) => {
    if (engine === 'postgres') {
      await sql`set transaction isolation level repeatable read`.execute(trx)
      await limitLockWaits(trx)
      const names = sql.join(tables.map(({ name }) => sql.table(name)))
      await sql`lock table ${names} in share mode`.execute(trx)
    }
    return work(trx)
  })

/** All of the work is committed, or nothing. */
export const withWholeTransaction = <T>(
  { patientDb, engine }: Connection,
  work: (handle: Handle, trx: Kysely<Database>) => Promise<T>,
): Promise<T> =>
  patientDb.transaction().execute(async (trx) => {
    if (engine === 'postgres') await limitLockWaits(trx)
    return work(handleOf(trx), trx)
  })

const limitLockWaits = (trx: Kysely<Database>): Promise<unknown> =>
  sql`set local lock_timeout = ${sql.lit(LOCK_WAIT)}`.execute(trx)
