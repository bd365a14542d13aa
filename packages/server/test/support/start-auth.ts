import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { inject, onTestFinished } from 'vitest'
import { type Auth, createAuth } from '../../src/create-auth.ts'
import type { NewAccount } from '../../src/features/administration/administration.ts'
import { buildApp } from '../../src/http/build-app.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import type { SettingsInput } from '../../src/settings.ts'
import { createClient } from './client.ts'

export const PASSWORD = 'correct horse battery staple'
const SECRET_KEY = 'a secret key for tests only, long enough'

export type StartedAuth = Awaited<ReturnType<typeof startAuth>>

type Options = {
  /** Another instance over the same database, which must have been started as `shared`. */
  beside?: { settings: Auth['settings']; clock: StillClock }
  /** Over a database that a second instance can reach. */
  shared?: boolean
  /** When its clock stands still, for parties whose clocks do not. */
  startAt?: number
  /** Gets every line of the log. */
  onLogLine?: (line: string) => void
}

/** A real service on a real database, with a clock that stands still until it is moved. */
export async function startAuth(
  input: SettingsInput = {},
  { beside, shared = false, startAt, onLogLine }: Options = {},
) {
  const clock = beside?.clock ?? stillClock(startAt)
  const settings = resolveSettings({
    SECRET_KEY,
    LOG_LEVEL: 'silent',
    DATABASE_URL: beside?.settings.DATABASE_URL ?? (await newDatabase(shared)),
    ...input,
  })
  const auth = createAuth(settings, {
    clock,
    ...(onLogLine && { log: pino({}, { write: onLogLine }) }),
  })
  await auth.migrate()
  const app = await buildApp(auth)
  await app.ready()
  onTestFinished(() => app.close())

  const newClient = () => createClient(app, settings.AUTH_PREFIX)
  const newBrowser = () => createClient(app, settings.AUTH_PREFIX, new Map())

  async function createUser(account: Partial<NewAccount> & { username: string }) {
    const defaults = { email: '', password: PASSWORD, verified: false, active: true }
    return auth.services.administration.create({ ...defaults, ...account })
  }

  async function createUserWithToken(username: string): Promise<string> {
    await createUser({ username, email: `${username}@example.com` })
    const reply = await newClient().post('login/', { username, password: PASSWORD })
    return (reply.body as { key: string }).key
  }

  /** A browser in which an existing user is logged in. */
  async function logInBrowser(username: string) {
    const browser = newBrowser()
    await browser.post('login/', { username, password: PASSWORD })
    return browser
  }

  return {
    auth,
    app,
    settings,
    clock,
    db: auth.connection.db,
    administration: auth.services.administration,
    request: newClient(),
    newBrowser,
    logInBrowser,
    createUser,
    createUserWithToken,
  }
}

export type StillClock = ReturnType<typeof stillClock>

function stillClock(start = Date.UTC(2030, 0, 1, 12)) {
  let now = start
  return {
    now: () => now,
    advance(ms: number) {
      now += ms
    },
  }
}

/** Each test starts with nothing. On PostgreSQL that is a schema of its own. */
async function newDatabase(shared: boolean): Promise<string> {
  const url = inject('postgresUrl')
  if (url === null) return shared ? newFile() : 'sqlite::memory:'
  const schema = `test_${randomBytes(8).toString('hex')}`
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`create schema ${schema}`)
  await client.end()
  return `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
}

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sqlite-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'latchkey.db')}`
}
