import { setTimeout as pause } from 'node:timers/promises'
import {
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  type SchemaModule,
  sql,
} from 'kysely'
import { isoTime } from '../kernel/clock.ts'
import type { Connection, Engine } from './connect.ts'
import { isLockedOut } from './faults.ts'
import { refuseHalfMoved } from './half-moved.ts'
import { type Db, handleOf, kyselyOf, type Tx } from './handle.ts'
import { HISTORY } from './has-history.ts'
import { hasTable } from './has-table.ts'
import { type ConfirmLock, withMigrationLock } from './migration-lock.ts'
import { refuseUnfit } from './refuse-unfit.ts'
import type { Database } from './schema.ts'
import { transaction } from './transaction.ts'

export type Migration = {
  name: string
  up(tools: MigrationTools): Promise<void>
}

type Warn = (details: object, words: string) => void

/**
 * Running instances wait behind a migration that waits for a table, so it must not wait for the end of a
 * backup. But it waits until PostgreSQL checks for deadlocks: only then an autovacuum is told to give way.
 */
const LIMIT_WAIT = sql`
  select set_config('lock_timeout', (1000 * extract(epoch from wait))::int::text, true)
  from (select current_setting('deadlock_timeout')::interval + interval '500 ms' as wait) as waits`
const RETRY_MS = 2000

/** The differences between the two databases, so that each migration is written once. */
export type MigrationTools = {
  engine: Engine
  schema: SchemaModule
  /** Runs a statement that changes rows, and returns the rows of its `returning`. */
  run<Row>(statement: RawBuilder<Row>): Promise<Row[]>
  /** Tells the operator in the log. */
  warn: Warn
  /** Adds an integer `id`. A number is never used twice, not even after a delete. */
  identity<T extends string>(table: CreateTableBuilder<T>): CreateTableBuilder<T | 'id'>
  /** Wide enough for epoch milliseconds. */
  bigint: 'bigint' | 'integer'
}

/**
 * Brings the database up to date and returns the names of the migrations that this call ran. Each
 * runs in a transaction that also records it, so a program that dies leaves a database from which
 * the next one goes on. Several programs may start at once: on PostgreSQL one holds a lock and the
 * others wait, on SQLite every transaction is a lock.
 */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  now: number,
  warn: Warn = () => {},
): Promise<string[]> {
  const { patientDb, engine } = connection
  await refuseUnfit(connection, 'writes')
  if ((await findDue(connection, migrations)).length === 0) return []
  // PostgreSQL refuses one of two programs that make a table together. The second try finds it made.
  await makeHistory(patientDb).catch(() => makeHistory(patientDb))

  async function runAll(confirm?: ConfirmLock): Promise<string[]> {
    const ran: string[] = []
    for (;;) {
      try {
        const name = await transaction(handleOf<Db>(patientDb), (tx) => runNext(tx, confirm))
        if (name === undefined) return ran
        ran.push(name)
      } catch (error) {
        if (engine === 'sqlite' || !isLockedOut(error)) throw error
        warn({}, 'another program, such as a backup, uses the tables; will try to migrate again')
        await pause(RETRY_MS)
      }
    }
  }

  async function runNext(tx: Tx, confirm?: ConfirmLock): Promise<string | undefined> {
    const trx = kyselyOf(tx)
    if (engine === 'postgres') await LIMIT_WAIT.execute(trx)
    const history = historyOf(trx)
    const [next] = dueAfter(await history.names(), migrations)
    if (!next) return undefined
    await next.up(toolsFor(trx, engine, warn))
    await history.add(next.name, now)
    await confirm?.(trx)
    return next.name
  }

  return engine === 'postgres' ? withMigrationLock(patientDb, runAll) : runAll()
}

/**
 * The migrations that the database still lacks. Only reads. Refuses a database of a newer version, one
 * that is half moved, and one that cannot hold every text.
 */
export async function pendingMigrations(
  connection: Connection,
  migrations: readonly Migration[],
): Promise<string[]> {
  await refuseUnfit(connection, 'reads')
  await refuseHalfMoved(connection)
  return (await findDue(connection, migrations)).map((m) => m.name)
}

/**
 * The same for a service that runs already. If a newer version has migrated the database meanwhile, everything
 * that this one needs is still there, and it goes on until it is replaced.
 */
export async function missingMigrations(
  connection: Connection,
  migrations: readonly Migration[],
): Promise<string[]> {
  await refuseHalfMoved(connection)
  return missingAfter(await findDone(connection), migrations).map((m) => m.name)
}

const findDue = async (connection: Connection, migrations: readonly Migration[]) =>
  dueAfter(await findDone(connection), migrations)

async function findDone(connection: Connection): Promise<string[]> {
  const isKnown = await hasTable(connection, HISTORY)
  return isKnown ? historyOf(connection.db).names() : []
}

function dueAfter(done: readonly string[], migrations: readonly Migration[]): Migration[] {
  const unknown = done.filter((name) => !migrations.some((m) => m.name === name))
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer version of Latchkey (${unknown.join(', ')}). Start that version, or restore a backup.`,
    )
  }
  return missingAfter(done, migrations)
}

const missingAfter = (done: readonly string[], migrations: readonly Migration[]): Migration[] =>
  migrations.filter((m) => !done.includes(m.name))

async function makeHistory(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable(HISTORY)
    .ifNotExists()
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('applied_at', 'text', (c) => c.notNull())
    .execute()
}

function historyOf(db: Kysely<Database>) {
  const table = db.withTables<{ [HISTORY]: { name: string; applied_at: string } }>()
  return {
    async names() {
      const rows = await table.selectFrom(HISTORY).select('name').execute()
      return rows.map((row) => row.name)
    },
    add: (name: string, now: number) =>
      table
        .insertInto(HISTORY)
        .values({ name, applied_at: isoTime(now) })
        .execute(),
  }
}

function toolsFor(db: Kysely<Database>, engine: Engine, warn: Warn): MigrationTools {
  return {
    engine,
    schema: db.schema,
    run: async (statement) => (await statement.execute(db)).rows,
    warn,
    identity: (table) =>
      table.addColumn('id', 'integer', (c) =>
        engine === 'sqlite'
          ? c.primaryKey().autoIncrement()
          : c.primaryKey().generatedByDefaultAsIdentity(),
      ),
    bigint: engine === 'sqlite' ? 'integer' : 'bigint',
  }
}
