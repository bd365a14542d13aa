import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type Auth, createAuth } from '../../src/create-auth.ts'
import type { PasswordHasher } from '../../src/crypto/password-hash/password-hasher.ts'
import type { NewAccount } from '../../src/features/administration/changes.ts'
import { buildApp } from '../../src/server/build-app.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import type { SettingsInput } from '../../src/settings/settings.ts'
import { type Db, handleOf } from '../../src/storage/handle.ts'
import { createDocumentCheck } from './against-the-document.ts'
import { createClient } from './client.ts'
import { type AtTheEnd, emptyDatabase } from './new-database.ts'

export const PASSWORD = 'correct horse battery staple'
/** Made once and for all: hashing it for every user would take most of the time of the tests. */
const HASH_OF_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$gDvZ7SjBNNx949yF5LmZrA$UNOSiCu6uaCS5Yetizvz5TfHp59vh/C8ct+5im/gCRk'
export const SECRET_KEY = 'a secret key for tests only, long enough'

/** In whose name the tests change accounts. */
export const OPERATOR = { operator: 'grace', host: 'console' }

export type StartedAuth = Awaited<ReturnType<typeof startAuth>>

type Options = {
  /** Another instance over the same database, which must have been started as `shared`. */
  beside?: { settings: Auth['settings']; clock: StillClock }
  /** Over a database that a second instance can reach. */
  shared?: boolean
  /** `afterAll`, where the tests of a file leave nothing behind and can share one service. */
  atTheEnd?: AtTheEnd
  /** When its clock stands still, for parties whose clocks do not. */
  startAt?: number
  /** Gets every line of the log, which otherwise goes nowhere. */
  onLogLine?: (line: string) => void
  /** Another than that of the service. */
  hasher?: PasswordHasher
}

/** A real service on a real database, with a clock that stands still until it is moved. */
export async function startAuth(
  input: SettingsInput = {},
  { beside, shared = false, atTheEnd = onTestFinished, startAt, onLogLine, hasher }: Options = {},
) {
  const clock = beside?.clock ?? stillClock(startAt)
  const settings = resolveSettings({
    SECRET_KEY,
    LOG_LEVEL: 'silent',
    // How quick the machine is must not matter.
    DATABASE_READ_TIMEOUT: '30s',
    DATABASE_WRITE_TIMEOUT: '30s',
    DATABASE_URL: beside?.settings.DATABASE_URL ?? (await emptyDatabase(shared, atTheEnd)),
    ...input,
  })
  const auth = createAuth(settings, {
    clock,
    sendsMail: false,
    ...(hasher && { hasher }),
    log: pino({ level: onLogLine ? 'trace' : 'silent' }, { write: onLogLine ?? (() => {}) }),
  })
  await auth.migrate()
  const app = await buildApp(auth)
  await app.ready()
  atTheEnd(() => app.close())

  const accounts = auth.services.administration.by(OPERATOR)
  const administration = {
    ...accounts,
    find: async (name: string) => (await accounts.named(name))[0]?.user,
  }
  const check = createDocumentCheck(auth)
  const newClient = () => createClient(app, settings.AUTH_PREFIX, check)
  const newBrowser = () => createClient(app, settings.AUTH_PREFIX, check, new Map())

  async function createUser(account: Partial<NewAccount> & { username: string }) {
    const { users } = auth.services
    const defaults = { email: '', password: PASSWORD, verified: false, active: true }
    const { password, ...details } = { ...defaults, ...account }
    if (password !== PASSWORD) return administration.create({ password, ...details })
    return users.add({ ...details, password: HASH_OF_PASSWORD })
  }

  /** With a proved address, as most things want it. */
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
