import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate, pendingMigrations } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { signup } from '../support/accounts.ts'
import { KEY } from '../support/answers.ts'
import {
  type Filled,
  filledDatabases,
  migrationsOf,
  open,
  restore,
} from '../support/filled-database.ts'
import { codeOf, MFA_REQUIRED } from '../support/mfa.ts'
import { startAuth } from '../support/start-auth.ts'

/** The current service with an old database. */
async function startOver(filled: Filled) {
  const DATABASE_URL = await restore(filled)
  return startAuth({ DATABASE_URL, REST_AUTH: { SESSION_LOGIN: true } })
}

test('there is a filled database of a released version', () => {
  expect(filledDatabases.map(({ version }) => version)).toContain('0.1.0')
})

describe.each(filledDatabases)('a filled database of $version', (filled) => {
  const { known } = filled
  const asAda = { token: known.token }

  test('has rows in every table, and none is lost', async () => {
    const { db } = await startOver(filled)
    for (const [table, rows] of Object.entries(filled.tables)) {
      expect(rows, table).not.toEqual([])
      if (table === 'latchkey_migrations') continue
      const { rows: now } = await sql`select * from ${sql.table(table)}`.execute(db)
      expect(now, table).toHaveLength(rows.length)
    }
  })

  test('is brought up to date at the start', async () => {
    const connection = open(await restore(filled))
    onTestFinished(() => connection.close())
    const due = migrations.map(({ name }) => name).slice(migrationsOf(filled).length)
    expect(await pendingMigrations(connection, migrations)).toEqual(due)
    expect(await migrate(connection, migrations, 0)).toEqual(due)
  })

  test('lets its users log in with their password, and keeps their token key', async () => {
    const { request } = await startOver(filled)
    const reply = await request.post('login/', { username: 'ada', password: known.password })
    expect(reply).toMatchReply(200, { key: known.token })
  })

  test('lists their logins, of which it knows neither address nor browser', async () => {
    const { request } = await startOver(filled)
    const unknown = expect.objectContaining({ address: null, user_agent: null })
    const { body } = await request.get('sessions/', asAda)
    expect(body).toContainEqual(expect.objectContaining({ id: 'token', current: true }))
    expect(body).toEqual((body as unknown[]).map(() => unknown))
  })

  test('knows their tokens and their sessions', async () => {
    const { request } = await startOver(filled)
    const user = expect.objectContaining({ pk: 1, username: 'ada', email: 'ada@example.com' })
    expect(await request.get('user/', asAda)).toMatchReply(200, user)
    const cookies = { sessionid: known.session }
    expect(await request.get('user/', { cookies })).toMatchReply(200, user)
  })

  test('asks for the second factor, and takes the code of the app', async () => {
    const started = await startOver(filled)
    const { request, clock } = started
    const credentials = { username: 'grace', password: known.password }
    const half = await request.post('login/', credentials)
    expect(half).toMatchReply(200, MFA_REQUIRED)
    clock.advance(60_000)
    const { ephemeral_token } = half.body as { ephemeral_token: string }
    const code = codeOf(started, known.totpSecret)
    expect(await request.post('mfa/verify/', { ephemeral_token, code })).toMatchReply(200, KEY)
  })

  test('takes a recovery code, for a login that was half done before', async () => {
    const { request } = await startOver(filled)
    const rest = { ephemeral_token: known.ephemeralToken, code: known.recoveryCode }
    expect(await request.post('mfa/verify/', rest)).toMatchReply(200, KEY)
  })

  test('lists their passkeys and social accounts', async () => {
    const { request } = await startOver(filled)
    const passkey = expect.objectContaining({ name: 'Laptop', transports: ['internal'] })
    expect(await request.get('passkeys/', asAda)).toMatchReply(200, [passkey])
    const account = expect.objectContaining({ provider: 'google', uid: '110169484474386276334' })
    expect(await request.get('socialaccounts/', asAda)).toMatchReply(200, [account])
  })

  test('takes new users, with numbers that nobody had', async () => {
    const { request, newBrowser } = await startOver(filled)
    const { body } = await newBrowser().post('registration/', signup('mia'))
    const user = await request.get('user/', { token: (body as { key: string }).key })
    expect(user).toMatchReply(200, expect.objectContaining({ pk: 3, username: 'mia' }))
  })
})

test('a released migration is never edited: it still makes what it made then', async () => {
  for (const filled of filledDatabases) {
    const connection = open('sqlite::memory:')
    onTestFinished(() => connection.close())
    const names = migrationsOf(filled)
    const released = migrations.filter(({ name }) => names.includes(name))
    expect(released.map(({ name }) => name)).toEqual(names)
    await migrate(connection, released, 0)
    const { rows } = await sql<{ sql: string }>`
      select sql from sqlite_master where sql is not null and name not like 'sqlite_%'
    `.execute(connection.db)
    expect(rows.map((row) => row.sql)).toEqual(filled.schema)
  }
})
