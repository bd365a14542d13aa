import { sql } from 'kysely'
import { systemClock } from '../../kernel/clock.ts'
import type { Connection } from '../connect.ts'
import { lockHalfMoved, markHalfMoved, unmarkHalfMoved } from '../half-moved.ts'
import { type Db, type Handle, handleOf, kyselyOf } from '../handle.ts'
import { hasTable } from '../has-table.ts'
import { hasInstance, INSTANCES, listServices } from '../instances.ts'
import { migrate, pendingMigrations } from '../migrate.ts'
import { migrations } from '../migrations/all.ts'
import type { MovedTable } from './describe-tables.ts'

/**
 * Only what nobody uses may be overwritten: a database without our tables, or without a user. `isAgain`
 * says that an earlier move was interrupted; the users that it left may be overwritten, too.
 */
export async function refuseUsedTarget(
  target: Connection,
  tables: readonly MovedTable[],
  isAgain: boolean,
): Promise<void> {
  const pending = isAgain ? [] : await pendingMigrations(target, migrations)
  if (pending.length === migrations.length) return refuseForeign(target, tables)
  await refuseInUse(target, isAgain)
}

async function refuseInUse(target: Connection, isAgain: boolean): Promise<void> {
  const db = handleOf<Db>(target.db)
  if ((await hasTable(target, INSTANCES)) && (await listServices(db)).length > 0) {
    throw new Error(
      'A service uses the target. Stop it first (one that was killed counts for 30 s).',
    )
  }
  if (isAgain || !(await hasTable(target, 'users'))) return
  const { rows } = await sql`select 1 from users limit 1`.execute(target.db)
  if (rows.length > 0) {
    throw new Error(
      'The target has users already. Move into an empty database; "--check" compares the two.',
    )
  }
}

/** Tables of other programs do not matter, unless they have the names of ours. */
async function refuseForeign(
  { db, engine }: Connection,
  tables: readonly MovedTable[],
): Promise<void> {
  const names = sql.join(tables.map(({ name }) => name))
  const { rows } = await (engine === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_master where name in (${names})`
    : sql<{ name: string }>`select tablename as name from pg_tables
        where schemaname = current_schema() and tablename in (${names})`
  ).execute(db)
  const [first] = rows
  if (!first) return
  throw new Error(
    `The target has a table "${first.name}" of another program. Give Latchkey a database or a schema of its own.`,
  )
}

/** Two URLs may lead to one database. Then the row of the mover at the source is here, too. */
export async function refuseSameDatabase(target: Connection, mover: string): Promise<void> {
  if (!(await hasTable(target, INSTANCES))) return
  if (await hasInstance(handleOf<Db>(target.db), mover)) {
    throw new Error('Source and target are the same database.')
  }
}

/**
 * From now on nobody serves the target, until the move is done. A service that starts now finds the mark.
 * One that started before is found here, and so are its users. It can go on, since the mark is removed again.
 */
export async function prepareTarget(target: Connection, isAgain: boolean): Promise<void> {
  const db = handleOf<Db>(target.db)
  await markHalfMoved(db)
  try {
    await migrate(target, migrations, systemClock.now())
    await refuseInUse(target, isAgain)
  } catch (error) {
    // An error of this would hide the first one.
    if (!isAgain) await unmarkHalfMoved(db).catch(() => {})
    throw error
  }
}

/** Begins with nothing. An earlier service without users may have left rows behind. */
export async function emptyTarget(
  handle: Handle,
  { engine }: Connection,
  tables: readonly MovedTable[],
): Promise<void> {
  if (engine === 'postgres') await lockHalfMoved(handle)
  for (const { name } of tables.toReversed()) {
    await sql`delete from ${sql.table(name)}`.execute(kyselyOf(handle))
  }
}
