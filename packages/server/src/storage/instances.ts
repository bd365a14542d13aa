import { type Kysely, sql } from 'kysely'
import { CLOCK_DIFFERENCE } from '../kernel/clock.ts'
import type { Connection } from './connect.ts'
import { type Db, handleOf, isSqlite } from './handle.ts'
import { hasTable } from './has-table.ts'
import { change, many, one, whether } from './query.ts'
import type { Database } from './schema.ts'
import type { Flag } from './user-tables.ts'

export const INSTANCES = 'latchkey_instances'

/** How long a process that was killed still counts as running. */
const LEASE_MS = 30_000

/** The clock of the database, since those of the instances may differ. */
const now = (db: Kysely<Database>) =>
  isSqlite(db)
    ? sql<number>`cast(unixepoch('now', 'subsec') * 1000 as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

const leaseEnd = (db: Kysely<Database>) => sql<number>`${now(db)} + ${sql.lit(LEASE_MS)}`

/** False for a lease that ends too late, too, which is one from before the clock was set back. */
const isAlive = (db: Kysely<Database>) =>
  sql<boolean>`(lease_until between ${now(db)} and ${leaseEnd(db)} + ${sql.lit(CLOCK_DIFFERENCE)})`

/** Adds an instance, or renews its lease. */
const keepInstance = change((db, id: string, role: 'service' | 'mover', frozen: Flag) =>
  db
    .insertInto('latchkey_instances')
    .values({ id, role, frozen, lease_until: leaseEnd(db) })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ frozen, lease_until: leaseEnd(db) }),
    ),
)

export const keepService = (db: Db, id: string, frozen: Flag): Promise<void> =>
  keepInstance(db, id, 'service', frozen)

export const keepMover = (db: Db, id: string): Promise<void> => keepInstance(db, id, 'mover', 0)

export const removeInstance = change((db, id: string) =>
  db.deleteFrom('latchkey_instances').where('id', '=', id),
)

/** Removes the rows of processes that died. */
export const removeDeadInstances = change((db) =>
  db.deleteFrom('latchkey_instances').where(sql<boolean>`not ${isAlive(db)}`),
)

/** The services that use the database, as far as anybody can know. */
export const listServices = many((db) =>
  db
    .selectFrom('latchkey_instances')
    .select(['id', 'frozen'])
    .where('role', '=', 'service')
    .where(isAlive(db)),
)

export const hasInstance = whether((db, id: string) =>
  db.selectFrom('latchkey_instances').select('id').where('id', '=', id),
)

const findMover = one((db) =>
  db
    .selectFrom('latchkey_instances')
    .select(sql<Flag>`case when ${isAlive(db)} then 1 else 0 end`.as('is_alive'))
    .where('role', '=', 'mover')
    .orderBy('is_alive', 'desc')
    .limit(1),
)

/** `locked`: on SQLite, where the mover holds the only lock, so that nobody can write to any table. */
export type Move = 'none' | 'begun' | 'locked'

/**
 * Whether a mover copies the database. On SQLite it cannot renew its lease while it holds the lock. The
 * lock itself vanishes with the process.
 */
export async function findMove(connection: Connection): Promise<Move> {
  const mover = await findMover(handleOf<Db>(connection.db))
  if (!mover) return 'none'
  if (await connection.isLocked()) return 'locked'
  return mover.is_alive ? 'begun' : 'none'
}

/** The same for a database that may be older than this version. */
export async function findMoveIfKnown(connection: Connection): Promise<Move> {
  return (await hasTable(connection, INSTANCES)) ? findMove(connection) : 'none'
}
