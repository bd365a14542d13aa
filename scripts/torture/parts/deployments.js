import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../free-port.js'
import { createClient } from './client.js'
import { startIdentityProvider } from './identity-provider.js'
import { startMailbox } from './mailbox.js'
import { startPgBouncer } from './pgbouncer.js'
import { startPostgres } from './postgres.js'
import { SECRET_KEY, startInstance, startInstances } from './service.js'
import { createPeople, ORIGIN } from './visitors.js'

/** Many things at once on a busy machine take their time. Only the proof `hostile` counts it as a fault. */
const PATIENCE_MS = 180_000
const NO_LIMITS = Object.fromEntries(
  [
    ...['login_failed', 'mfa_failed', 'reset_mail', 'verify_mail', 'code_mail', 'signup'],
    ...['passkey_begin', 'social', 'change_name', 'notice_mail', 'invitation_mail'],
  ].map((name) => [name, 'none']),
)

/** Everything is on, and nothing but the guard under proof refuses a request. */
export const SETTINGS = {
  PUBLIC_URL: ORIGIN,
  MODULES: 'registration,social,mfa,passkeys,pages,admin',
  ADMIN_LISTEN: 'public',
  ADMIN_IMPERSONATION: 'true',
  API_KEYS: 'true',
  LOG_LEVEL: 'warn',
  REST_AUTH_USE_JWT: 'true',
  REST_AUTH_SESSION_LOGIN: 'true',
  SIMPLE_JWT_ACCESS_TOKEN_LIFETIME: '2h',
  SIMPLE_JWT_ROTATE_REFRESH_TOKENS: 'true',
  SIMPLE_JWT_BLACKLIST_AFTER_ROTATION: 'true',
  ACCOUNT_LOGIN_BY_CODE_ENABLED: 'true',
  ACCOUNT_DELETION: 'true',
  ACCOUNT_RATE_LIMITS: JSON.stringify(NO_LIMITS),
  REST_FRAMEWORK_NUM_PROXIES: '1',
  USER_FIELDS: JSON.stringify({ badge: { type: 'string', unique: true } }),
  // A busy machine must not refuse what the proof counts.
  DATABASE_READ_TIMEOUT: '30s',
  DATABASE_WRITE_TIMEOUT: '60s',
}

/** The ways to run the service, each with its instances: how to start one, and what it needs. */
const DEPLOYMENTS = {
  'SQLite, 1 instance': async (start, { folder }) => [
    await start.one(`sqlite:${join(folder, 'latchkey.db')}`),
  ],
  'SQLite, 2 workers': async (start, { folder }) => {
    const database = `sqlite:${join(folder, 'latchkey.db')}`
    const instance = await start.one(database, { WORKERS: '2' })
    return [instance]
  },
  'PostgreSQL, 1 instance': async (start, { postgres }) => [
    await start.one(postgres.urlAt(postgres.port)),
  ],
  'PostgreSQL, 3 instances': async (start, { postgres }) =>
    start.several(3, postgres.urlAt(postgres.port)),
  'PostgreSQL behind PgBouncer, 3 instances': async (start, { folder, postgres, atTheEnd }) => {
    const pooling = { serverPort: postgres.port, mode: 'transaction' }
    const pooler = await startPgBouncer(folder, { ...pooling, port: await freePort() })
    atTheEnd(pooler.stop)
    return start.several(3, postgres.urlAt(pooler.port))
  },
}

/**
 * Starts one of the deployments in its own folder, with a mailbox, an identity provider and people. With
 * `more`, further settings; instances of the same deployment with others come from `beside`.
 */
export async function startDeployment(name, { folder: parent, server, atTheEnd }, more = {}) {
  const folder = join(parent, name.replaceAll(/\W+/g, '-'))
  await mkdir(folder)
  const [mailbox, idp] = await Promise.all([startMailbox(), startIdentityProvider()])
  atTheEnd(mailbox.stop)
  atTheEnd(idp.stop)
  const postgres = name.startsWith('PostgreSQL') ? await startPostgres(folder) : undefined
  if (postgres) atTheEnd(postgres.stop)
  const settings = {
    ...SETTINGS,
    EMAIL_URL: mailbox.url,
    SOCIALACCOUNT_PROVIDERS: idp.setting,
    ...more,
  }

  const adminUrl =
    settings.ADMIN_LISTEN === 'public' ? undefined : `http://${settings.ADMIN_LISTEN}`
  let databaseUrl
  const start = (also) => ({
    async one(url, extra) {
      databaseUrl = url
      const instance = await startInstance(
        folder,
        url,
        { ...settings, ...extra, ...also },
        { server },
      )
      atTheEnd(instance.stop)
      return instance
    },
    async several(count, url) {
      databaseUrl = url
      const all = await startInstances(count, folder, url, { ...settings, ...also }, { server })
      atTheEnd(all.stop)
      return all.instances
    },
  })
  const instances = await DEPLOYMENTS[name](start({}), { folder, postgres, atTheEnd })
  const scopes = ['users', 'read', 'mails', 'audit'].flatMap((scope) => ['--scope', scope])
  const said = await instances[0].command([
    ...['admin-key', 'create', '--name', 'torture', '--json', ...scopes],
  ])
  const adminKey = JSON.parse(said).key
  const client = createClient({ patienceMs: PATIENCE_MS })
  atTheEnd(client.close)
  const peopleAt = (some) =>
    createPeople({ client, urls: some.map(({ url }) => url), adminUrl, mailbox, adminKey, idp })

  return {
    name,
    folder,
    instances,
    settings: { ...settings, DATABASE_URL: databaseUrl, SECRET_KEY },
    adminUrl,
    adminKey,
    postgres,
    mailbox,
    people: peopleAt(instances),
    /** Further instances on the same database with other settings, and people who use them. */
    async beside(also, count = 2) {
      const others = await start(also).several(count, databaseUrl)
      return { instances: others, people: peopleAt(others) }
    },
  }
}
