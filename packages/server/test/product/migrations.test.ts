import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { connect } from '../../src/storage/connect.ts'
import { migrate, pendingMigrations } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { newDatabase } from '../support/new-database.ts'
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

test('of several programs that start together, one migrates and the others wait', async () => {
  const url = await newDatabase(true)
  const programs = Array.from({ length: 4 }, () => latchkeyMigrate(url))
  const outputs = await Promise.all(programs)
  expect(outputs.filter((output) => output.includes(NAMES[0] ?? ''))).toHaveLength(1)
  const connection = open(url)
  onTestFinished(() => connection.close())
  expect(await pendingMigrations(connection, migrations)).toEqual([])
})

test('a migration that fails leaves nothing behind', async () => {
  const [connection] = await connections(1)
  const broken = {
    name: '9999-broken',
    async up({ schema }: Parameters<(typeof migrations)[number]['up']>[0]) {
      await schema.createTable('half_made').addColumn('id', 'integer').execute()
      throw new Error('broken')
    },
  }
  await expect(migrate(connection, [...migrations, broken], NOW)).rejects.toThrow('broken')
  expect(await pendingMigrations(connection, migrations)).toEqual(NAMES)
})

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
      day_key: null,
      times: 1,
    })),
  )
})
