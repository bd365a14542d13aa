import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { randomUuid } from '../kernel/random.ts'
import type { Database } from './schema.ts'

/** How long a program that was killed still holds the lock. */
const LEASE_MS = 10_000
const RENEW_MS = 3000
const RETRY_MS = 200

const LOCK = sql.table('latchkey_migration_lock')
/** The clock of the database, since those of the instances may differ. */
const NOW = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
const LEASE_END = sql`${NOW} + ${sql.lit(LEASE_MS)}`

/** Throws if another program has taken the lock. Called before each commit. */
export type ConfirmLock = (trx: Kysely<Database>) => Promise<void>

/**
 * Runs the work while no other program does. The lock outlasts several transactions, even behind a
 * pooler, and some relatives of PostgreSQL have no advisory locks. So it is a row with a holder and an
 * expiry, which is renewed until the work is done. A killed program cannot give it back, so it expires.
 */
export async function withMigrationLock<T>(
  db: Kysely<Database>,
  work: (confirm: ConfirmLock) => Promise<T>,
): Promise<T> {
  const holder = randomUuid()
  // PostgreSQL refuses one of two programs that make a table together.
  await makeTable(db).catch(() => makeTable(db))
  while (!(await take(db, holder))) await pause(RETRY_MS)
  // A failed renewal is repeated. If the lock is lost, the confirmation before the next commit notices.
  const renewal = setInterval(() => renew(db, holder).catch(() => {}), RENEW_MS)
  try {
    return await work(async (trx) => {
      if (await renew(trx, holder)) return
      throw new Error('Another program has taken over the migrations. Start again.')
    })
  } finally {
    clearInterval(renewal)
    await sql`delete from ${LOCK} where holder = ${holder}`.execute(db).catch(() => {})
  }
}

async function makeTable(db: Kysely<Database>): Promise<void> {
  await sql`create table if not exists ${LOCK} (
    id integer primary key, holder text not null, expires_at bigint not null
  )`.execute(db)
}

async function take(db: Kysely<Database>, holder: string): Promise<boolean> {
  const { rows } = await sql`
    insert into ${LOCK} as held (id, holder, expires_at) values (1, ${holder}, ${LEASE_END})
    on conflict (id) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where held.expires_at < ${NOW} returning id
  `.execute(db)
  return rows.length > 0
}

async function renew(db: Kysely<Database>, holder: string): Promise<boolean> {
  const { rows } = await sql`
    update ${LOCK} set expires_at = ${LEASE_END} where holder = ${holder} returning id
  `.execute(db)
  return rows.length > 0
}
