import { sql } from 'kysely'
import { systemClock } from '../../kernel/clock.ts'
import type { Connection } from '../connect.ts'
import { isHalfMoved, lockHalfMoved, markHalfMoved } from '../half-moved.ts'
import { type Db, type Handle, handleOf, kyselyOf } from '../handle.ts'
import { hasTable } from '../has-table.ts'
import { hasInstance, listServices } from '../instances.ts'
import { migrate, pendingMigrations } from '../migrate.ts'
import { migrations } from '../migrations/all.ts'
import type { MovedTable } from './describe-tables.ts'

/** Only what nobody uses may be overwritten: a database without our tables, or without a user. */
export async function refuseUsedTarget(target: Connection): Promise<void> {
  const isKnown = await hasTable(target, 'instances')
  if (isKnown && (await listServices(handleOf<Db>(target.db))).length > 0) {
    throw new Error(
      'A service uses the target. Stop it first (one that was killed counts for 30 s).',
    )
  }
  if (await isHalfMoved(target)) return
  const isOurs = (await pendingMigrations(target, migrations)).length < migrations.length
  if (!(await hasTable(target, 'users'))) return
  if (!isOurs) {
    throw new Error(
      'The target has a table "users" of another program. Give Latchkey a database or a schema of its own.',
    )
  }
  const { rows } = await sql`select 1 from users limit 1`.execute(target.db)
  if (rows.length > 0) {
    throw new Error(
      'The target has users already. Move into an empty database; "--check" compares the two.',
    )
  }
}

/** Two URLs may lead to one database. Then the row of the mover at the source is here, too. */
export async function refuseSameDatabase(target: Connection, mover: string): Promise<void> {
  if (!(await hasTable(target, 'instances'))) return
  if (await hasInstance(handleOf<Db>(target.db), mover)) {
    throw new Error('Source and target are the same database.')
  }
}

/** From now on nobody serves the target, until the move is done. */
export async function prepareTarget(target: Connection): Promise<void> {
  await markHalfMoved(handleOf<Db>(target.db))
  await migrate(target, migrations, systemClock.now())
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
