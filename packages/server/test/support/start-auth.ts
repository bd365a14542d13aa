import { pino } from 'pino'
import { inject, onTestFinished } from 'vitest'
import { composeService, type Service } from '../../src/compose-service.ts'
import type { HostOptions } from '../../src/core/host/host-options.ts'
import type { PasswordHasher } from '../../src/crypto/password-hash/password-hasher.ts'
import { serializers } from '../../src/server/logger.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import type { UncheckedSettings } from '../../src/settings/settings.ts'
import { type Db, handleOf } from '../../src/storage/handle.ts'
import type { User } from '../../src/storage/schema.ts'
import { administrationOf, type NewAccount } from './administration.ts'
import { createDocumentCheck } from './against-the-document.ts'
import { createClient } from './client.ts'
import type { AtTheEnd } from './database-folder.ts'
import { cheapHasher } from './hashers.ts'
import { openApp } from './kept-app.ts'
import { openMail } from './mail.ts'
import { emptyDatabase, openDatabase, PATIENT } from './new-database.ts'

export const PASSWORD = 'correct horse battery staple'
const HASH_OF_PASSWORD = await cheapHasher().hash(PASSWORD)
export const SECRET_KEY = 'a secret key for tests only, long enough'

export type StartedAuth = Awaited<ReturnType<typeof startAuth>>

type Options = HostOptions & {
  /** Another instance over the same database, which must have been started as `shared`. */
  beside?: { settings: Service['settings']; clock: StillClock }
  /** Over a database that a second instance can reach. */
  shared?: boolean
  /** `afterAll` if the tests of a file change nothing and can share one service. */
  atTheEnd?: AtTheEnd
  /** The time of its clock, for tests with servers whose clocks run. */
  startAt?: number
  /** Gets every line of the log. By default they are dropped. */
  onLogLine?: (line: string) => void
  /** Replaces the hasher of the service. */
  hasher?: PasswordHasher
  /** How long another party has to answer. */
  outboundMs?: number
}

/**
 * For a second instance whose clock runs. The sweep of one that is years ahead would delete what the
 * other is about to deliver.
 */
export const sharedNow = () => ({ shared: true, startAt: Date.now() })

/** A real service on a real database, with a clock that stands still until it is moved. */
export async function startAuth(input: UncheckedSettings = {}, options: Options = {}) {
  const { beside, shared = false, atTheEnd = onTestFinished, startAt, onLogLine, hasher } = options
  const { hooks, mail, passwordRules, usernameRules } = options
  const clock = beside?.clock ?? stillClock(startAt)
  const given = input.DATABASE_URL ?? beside?.settings.DATABASE_URL
  // A second instance cannot reach an SQLite in memory.
  const isFile = shared && inject('postgresUrl') === null
  const hasOwn = given !== undefined || isFile || 'DATABASE_WRITE_TIMEOUT' in input
  const opened = hasOwn ? null : await openDatabase()
  const settings = resolveSettings({
    SECRET_KEY,
    LOG_LEVEL: 'silent',
    ...PATIENT,
    DATABASE_URL: given ?? opened?.url ?? (await emptyDatabase(atTheEnd)),
    ...input,
  })
  const auth = composeService(settings, {
    clock,
    sendsMail: false,
    ...(hooks && { hooks }),
    ...(mail && { mail }),
    ...(passwordRules && { passwordRules }),
    ...(usernameRules && { usernameRules }),
    ...(options.outboundMs && { outboundMs: options.outboundMs }),
    ...(opened && { connection: opened.connection }),
    hasher: hasher ?? cheapHasher(settings.PASSWORD_HASHERS),
    log: pino(
      { level: onLogLine ? 'trace' : 'silent', serializers },
      { write: onLogLine ?? (() => {}) },
    ),
  })
  await auth.migrate()
  const routes = [input, hooks && Object.keys(hooks), !!mail, !!passwordRules, !!usernameRules]
  const key = JSON.stringify(routes)
  const { app, endpoints, close } = await openApp(auth, onLogLine ? null : key)
  atTheEnd(() => {
    opened?.keep()
    return close()
  })

  const administration = administrationOf(auth.services)
  const check = createDocumentCheck(endpoints, settings, key)
  const newClient = () => createClient(app, settings.AUTH_PREFIX, check)
  const newBrowser = () => createClient(app, settings.AUTH_PREFIX, check, new Map())

  /** Finds a user by name or address. */
  async function findUser(name: string): Promise<User> {
    const [found] = await administration.named(name)
    if (!found) throw new Error(`There is no user ${name}.`)
    return found.user
  }

  async function createUser(account: Partial<NewAccount> & { username: string }) {
    const { users } = auth.services
    const defaults = { email: '', password: PASSWORD, verified: false, active: true }
    const { password, ...details } = { ...defaults, ...account }
    if (password !== PASSWORD) return administration.create({ password, ...details })
    return users.add({ ...details, password: HASH_OF_PASSWORD })
  }

  /** With a proved address, since most features need one. */
  async function createUserWithToken(
    username: string,
    { verified = true }: { verified?: boolean } = {},
  ): Promise<string> {
    await createUser({ username, email: `${username}@example.com`, verified })
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
    handle: handleOf<Db>(auth.connection.db),
    administration,
    findUser,
    mail: openMail(auth),
    request: newClient(),
    newBrowser,
    logInBrowser,
    createUser,
    createUserWithToken,
  }
}

export type StillClock = ReturnType<typeof stillClock>

export function stillClock(start = Date.UTC(2030, 0, 1, 12)) {
  let now = start
  return {
    now: () => now,
    advance(ms: number) {
      now += ms
    },
  }
}
