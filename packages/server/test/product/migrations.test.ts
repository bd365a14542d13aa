import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { connect } from '../../src/storage/connect.ts'
import { migrate, pendingMigrations } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { newDatabase } from '../support/new-database.ts'
import { onPostgres } from '../support/postgres.ts'
import { SECRET_KEY } from '../support/start-auth.ts'

const NAMES = migrations.map((migration) => migration.name)
const NOW = 1_900_000_000_000

const open = (url: string) => connect(resolveSettings({ DATABASE_URL: url, SECRET_KEY }))

/** The built program, as an operator runs it. */
async function latchkeyMigrate(url: string): Promise<string> {
  const program = fileURLToPath(new URL('../../bin/latchkey.js', import.meta.url))
  const env = { PATH: process.env.PATH, DATABASE_URL: url, SECRET_KEY: 'x'.repeat(40) }
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'migrate'], { env })
  return stdout
}

async function connections(count: number) {
  const url = await newDatabase(true)
  const opened = Array.from({ length: count }, () => open(url))
  onTestFinished(async () => {
    await Promise.all(opened.map(({ close }) => close()))
  })
  return opened as [ReturnType<typeof connect>, ...ReturnType<typeof connect>[]]
}

test('a new database lacks every migration, and none after they ran', async () => {
  const [connection] = await connections(1)
  expect(await pendingMigrations(connection, migrations)).toEqual(NAMES)
  expect(await migrate(connection, migrations, NOW)).toEqual(NAMES)
  expect(await pendingMigrations(connection, migrations)).toEqual([])
})

test('running them again does nothing', async () => {
  const [connection] = await connections(1)
  await migrate(connection, migrations, NOW)
  expect(await migrate(connection, migrations, NOW)).toEqual([])
})

test('several programs that start together run each migration once', async () => {
  const url = await newDatabase(true)
  const programs = Array.from({ length: 4 }, () => latchkeyMigrate(url))
  const outputs = await Promise.all(programs)
  const ran = outputs.flatMap((output) => output.split('\n')).filter((line) => NAMES.includes(line))
  expect(ran.sort()).toEqual(NAMES)
  const connection = open(url)
  onTestFinished(() => connection.close())
  expect(await pendingMigrations(connection, migrations)).toEqual([])
})

type Tools = Parameters<(typeof migrations)[number]['up']>[0]

test('a migration that fails leaves those before it, nothing of its own, and the next start goes on', async () => {
  const [connection] = await connections(1)
  const done = { name: '0001-done', up: ({ schema }: Tools) => makeTable(schema, 'done') }
  const broken = {
    name: '0002-broken',
    async up({ schema }: Tools) {
      await makeTable(schema, 'half_made')
      throw new Error('broken')
    },
  }
  const mended = { ...broken, up: ({ schema }: Tools) => makeTable(schema, 'half_made') }
  const last = { name: '0003-last', up: ({ schema }: Tools) => makeTable(schema, 'last') }
  await expect(migrate(connection, [done, broken, last], NOW)).rejects.toThrow('broken')
  expect(await pendingMigrations(connection, [done, mended, last])).toEqual([
    '0002-broken',
    '0003-last',
  ])
  const started = performance.now()
  expect(await migrate(connection, [done, mended, last], NOW)).toEqual(['0002-broken', '0003-last'])
  expect(performance.now() - started, 'the lock was given back').toBeLessThan(5000)
})

const makeTable = (schema: Tools['schema'], name: string) =>
  schema.createTable(name).addColumn('id', 'integer').execute()

describe.runIf(onPostgres)('the lock of PostgreSQL', () => {
  const first = { name: '0001-first', up: async () => {} }
  const second = { name: '0002-second', up: async () => {} }
  const heldBy = (holder: string, ms: number) => sql`
    insert into latchkey_migration_lock (id, holder, expires_at)
    values (1, ${holder}, (extract(epoch from clock_timestamp()) * 1000)::bigint + ${ms}::bigint)
    on conflict (id) do update set holder = excluded.holder, expires_at = excluded.expires_at`

  test('a program that was killed holds it only for a while', async () => {
    const [connection] = await connections(1)
    await migrate(connection, [first], NOW)
    await heldBy('killed', 700).execute(connection.db)
    expect(await migrate(connection, [first], NOW), 'nothing is due').toEqual([])
    const started = performance.now()
    expect(await migrate(connection, [first, second], NOW)).toEqual(['0002-second'])
    expect(performance.now() - started).toBeGreaterThan(500)
    const { rows } = await sql`select * from latchkey_migration_lock`.execute(connection.db)
    expect(rows).toEqual([])
  })

  test('a program that has lost it commits nothing', async () => {
    const [connection, other] = await connections(2)
    const slow = {
      name: '0001-slow',
      async up({ schema }: Tools) {
        await makeTable(schema, 'slow')
        await heldBy('other', 60_000).execute((other ?? connection).db)
      },
    }
    await expect(migrate(connection, [slow], NOW)).rejects.toThrow(/Another program/)
    expect(await pendingMigrations(connection, [slow])).toEqual(['0001-slow'])
    const { rows } = await sql`select holder from latchkey_migration_lock`.execute(connection.db)
    expect(rows).toEqual([{ holder: 'other' }])
  })
})

test.runIf(onPostgres)('a migration lets others use a table that a backup reads', async () => {
  const [connection, other = connection] = await connections(2)
  const read = { name: '0001-read', up: ({ schema }: Tools) => makeTable(schema, 'read') }
  const changed = {
    name: '0002-changed',
    up: ({ schema }: Tools) => schema.alterTable('read').addColumn('more', 'text').execute(),
  }
  await migrate(connection, [read], NOW)
  const lines: string[] = []
  const upgrading = await other.patientDb.transaction().execute(async (backup) => {
    // As pg_dump does.
    await sql`lock table read in access share mode`.execute(backup)
    let noteWarning = () => {}
    const warned = new Promise<void>((resolve) => {
      noteWarning = resolve
    })
    const upgrade = migrate(connection, [read, changed], NOW, (_, words) => {
      lines.push(words)
      noteWarning()
    })
    await warned
    expect((await sql`select * from read`.execute(connection.db)).rows).toEqual([])
    return { upgrade }
  })
  expect(await upgrading.upgrade).toEqual(['0002-changed'])
  expect(lines).toEqual([
    'another program, such as a backup, uses the tables; will try to migrate again',
  ])
})

test.runIf(onPostgres)('a migration waits until an autovacuum gives way', async () => {
  const [connection] = await connections(1)
  const isLonger = sql`select current_setting('lock_timeout')::interval
    > current_setting('deadlock_timeout')::interval as "isLonger"`
  let rows: unknown[] = []
  const look = {
    name: '0001-look',
    async up({ run }: Tools) {
      rows = await run(isLonger)
    },
  }
  await migrate(connection, [look], NOW)
  expect(rows).toEqual([{ isLonger: true }])
})

test.runIf(onPostgres)(
  'smaller indexes wait for a request, which does not wait for them',
  async () => {
    const [connection, other = connection] = await connections(2)
    const cut = NAMES.indexOf('0041-smaller-indexes')
    await migrate(connection, migrations.slice(0, cut), NOW)
    const lines: string[] = []
    const upgrading = await other.patientDb.transaction().execute(async (request) => {
      await sql`set local lock_timeout = 100`.execute(request)
      await sql`update users set epoch = 0`.execute(request)
      const upgrade = migrate(connection, migrations.slice(0, cut + 1), NOW, (_, words) =>
        lines.push(words),
      )
      await expect.poll(() => isAnybodyWaiting(other), { interval: 10 }).toBe(true)
      await sql`insert into audit_events (user_id, event, at, details)
        values (1, 'x', 0, '{}')`.execute(request)
      return { upgrade }
    })
    expect(await upgrading.upgrade).toEqual(['0041-smaller-indexes'])
    expect(lines).toEqual([])
  },
)

async function isAnybodyWaiting({ db }: ReturnType<typeof connect>): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}

test('a database that a newer version has migrated is refused', async () => {
  const [connection] = await connections(1)
  const newer = { name: '9999-newer', up: async () => {} }
  await migrate(connection, [...migrations, newer], NOW)
  await expect(migrate(connection, migrations, NOW)).rejects.toThrow(
    /newer version of Latchkey \(9999-newer\)/,
  )
})

test('audit rows are kept when the table is rebuilt', async () => {
  const [connection] = await connections(1)
  const { db } = connection
  const cut = NAMES.indexOf('0007-audit-outlives')
  await migrate(connection, migrations.slice(0, cut), NOW)
  await sql`insert into users (username, username_key, email, email_verified, first_name, last_name,
    password, is_active, joined_at) values ('ada', 'ada', '', 0, '', '', '!', 1, 0)`.execute(db)
  const row = { user_id: 1, at: 1, details: '{}' }
  const events = ['password_changed', 'mfa_activated'].map((event) => ({ ...row, event }))
  await db.insertInto('audit_events').values(events).execute()

  await migrate(connection, migrations, NOW)
  await db.deleteFrom('users').execute()
  await db
    .insertInto('audit_events')
    .values({ ...row, event: 'user_deleted' })
    .execute()
  const kept = await db.selectFrom('audit_events').selectAll().orderBy('id').execute()
  expect(kept).toEqual(
    [...events, { ...row, event: 'user_deleted' }].map((event, at) => ({
      id: at + 1,
      ...event,
      ...{ day_key: null, times: 1, address: null, reason: null },
      ...{ operator_kind: null, operator_pk: null, operator_name: null, user_uuid: null },
    })),
  )
})

test('events that waited in an older version keep their order, and new ones follow', async () => {
  const [connection] = await connections(1)
  const { db } = connection
  await migrate(connection, migrations.slice(0, NAMES.indexOf('0023-numbered-events')), NOW)
  for (const id of ['a', 'b']) {
    await sql`insert into events (event_id, receiver, user_id, kind, sealed_event, state, attempts,
      created_at) values (${id}, 'hooks', 7, 'signedIn', '', 'queued', 0, 0)`.execute(db)
  }
  await sql`insert into event_lines (receiver, user_id, due_at) values ('hooks', 7, 0)`.execute(db)
  await migrate(connection, migrations, NOW)
  const numbered = await db
    .selectFrom('events')
    .select(['event_id', 'number'])
    .orderBy('number')
    .execute()
  expect(numbered.map(({ event_id }) => event_id)).toEqual(['a', 'b'])
  const line = await db.selectFrom('event_lines').select('last_number').executeTakeFirst()
  expect(line?.last_number).toBe(numbered.at(-1)?.number)
})
