import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'libsql'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { Operator } from '../../../server/src/features/audit/audit.ts'
import type { UncheckedSettings } from '../../../server/src/settings/settings.ts'
import { type AtTheEnd, newDatabaseFolder } from '../../../server/test/support/database-folder.ts'
import { hasFailed } from '../../../server/test/support/new-database.ts'
import { onPostgres } from '../../../server/test/support/postgres.ts'
import { type StartedAuth, startAuth } from '../../../server/test/support/start-auth.ts'
import { createDjangoImport } from '../../src/import/django-import.ts'
import { openSource } from '../../src/source/source.ts'
import { type NamedColumns, readUserModel } from '../../src/source/user-model.ts'
import { makeDeployment } from './django-deployment.ts'
import type { Live } from './django-live.ts'
import type { Deployment } from './django-tables.ts'

/** A Django database, which the test may change, as the project would. */
export type DjangoDatabase = { url: string; change(sql: string): Promise<void> }

/** Made here, for every test run. */
export const deployments = ['default', 'custom'] as const

/** Databases of the original, and what is true of their users; beside the checkout, if anywhere. */
const recorded = new URL('../../../../../shared/django/', import.meta.url)

/** Those that were made here, and those that the original made, where they can be had. */
export const everyDeployment: readonly DeploymentName[] = [
  ...deployments,
  ...(existsSync(recorded) ? (['recorded default', 'recorded custom'] as const) : []),
]

export type DeploymentName = Deployment | `recorded ${Deployment}`

function deploymentCalled(name: DeploymentName): { live: Live; sql: string } {
  const [, variant] = /^recorded (\w+)$/.exec(name) ?? []
  if (variant === undefined) return makeDeployment(name as Deployment)
  const textOf = (file: string) => readFileSync(new URL(`${variant}/${file}`, recorded), 'utf8')
  const sql = textOf(onPostgres ? 'postgres.sql' : 'sqlite.sql')
  return { live: JSON.parse(textOf('live.json')), sql }
}

/** The settings of a deployment in our words. */
const settingsFor = ({ variant, origin, settings }: Live): UncheckedSettings => ({
  USER_PK: variant === 'custom' ? 'uuid' : 'integer',
  DJANGO_SECRET_KEY: settings.SECRET_KEY,
  DJANGO_SECRET_KEY_FALLBACKS: settings.SECRET_KEY_FALLBACKS,
  PASSWORD_RESET_TIMEOUT: '3650d',
  SESSION_COOKIE_AGE: '3650d',
  PUBLIC_URL: origin,
  REST_AUTH: { USE_JWT: true, SESSION_LOGIN: true },
  SIMPLE_JWT: {
    SIGNING_KEY: settings.SIMPLE_JWT.SIGNING_KEY ?? settings.SECRET_KEY,
    ISSUER: settings.SIMPLE_JWT.ISSUER ?? null,
    REFRESH_TOKEN_LIFETIME: '3650d',
  },
  ACCOUNT: { EMAIL_CONFIRMATION_EXPIRE_DAYS: 3650 },
  SOCIALACCOUNT: { PROVIDERS: settings.SOCIALACCOUNT_PROVIDERS },
})

export async function djangoFile(
  sql: string,
  atTheEnd: AtTheEnd = onTestFinished,
): Promise<DjangoDatabase> {
  const folder = await newDatabaseFolder('django', atTheEnd)
  const file = join(folder, 'db.sqlite3')
  const db = new Sqlite(file)
  // Tests drop tables, and change keys one table after the other.
  db.exec('PRAGMA foreign_keys = OFF')
  db.exec(sql)
  atTheEnd(async () => void db.close())
  return {
    url: `sqlite:${file}`,
    change: async (statement) => {
      db.exec(statement)
    },
  }
}

export async function djangoServer(
  sql: string,
  atTheEnd: AtTheEnd = onTestFinished,
): Promise<DjangoDatabase> {
  const url = unused.pop() ?? (await newServerDatabase())
  await query(url, `drop schema public cascade; create schema public; ${sql}`)
  atTheEnd(async () => {
    if (!hasFailed()) unused.push(url)
  })
  return { url, change: (statement) => query(url, statement) }
}

/** Databases of earlier tests. To empty one takes less time than to make one. */
const unused: string[] = []

async function newServerDatabase(): Promise<string> {
  const url = new URL(String(inject('postgresUrl')))
  const name = `django_${randomBytes(8).toString('hex')}`
  await query(url.href, `create database ${name}`)
  url.pathname = name
  return url.href
}

/** On the kind of database that the tests run on. */
export const newProject = (sql: string, atTheEnd?: AtTheEnd): Promise<DjangoDatabase> =>
  onPostgres ? djangoServer(sql, atTheEnd) : djangoFile(sql, atTheEnd)

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

type Wish = {
  table: string
  secretKeys: string[]
  isDry?: boolean
  isForced?: boolean
  batches?: number
  backends?: ReadonlySet<string> | null
  columns?: NamedColumns
  timeZone?: string | null
  address?: 'keep-verified' | 'keep-first'
  /** What happens after a page of this table was read, and before it is written here. */
  afterRead?: (table: string) => Promise<void>
}

/** Who imports, according to the audit. */
const IMPORTER: Operator = { kind: 'cli', name: 'grace', machine: { host: 'console' } }

/** Runs an import into a service, as the command does. `batches` says when it is interrupted. */
export async function importInto({ auth }: StartedAuth, url: string, wish: Wish) {
  const { table, secretKeys, isDry = false, isForced = false } = wish
  const { batches = Number.POSITIVE_INFINITY } = wish
  const { backends = null, columns = {}, timeZone = null, address = 'keep-verified' } = wish
  const source = await openSource(url, { use: 'read', timeZone })
  const page: typeof source.page = async (name, wanted) => {
    const rows = await source.page(name, wanted)
    await wish.afterRead?.(name)
    return rows
  }
  let done = 0
  try {
    const order = {
      source: { ...source, page },
      model: await readUserModel(source, table, columns),
      origin: { codeCount: 10, codeDigits: 8, ownCodeCount: 10 },
      rules: { username: 'rename', address },
      secretKeys,
      backends,
      isDry,
      isForced,
      operator: IMPORTER,
    } as const
    const watch = { note: () => {}, isStopping: () => done++ >= batches }
    return await createDjangoImport(auth.services).run(auth.patientDb, order, watch)
  } finally {
    await source.close()
  }
}

/** A deployment that is a little different from the one that is stored. */
export type Variant = {
  sql?: (live: Live) => string
  wish?: Partial<Wish>
  settings?: UncheckedSettings
  /** `afterAll` if several tests share the import. */
  atTheEnd?: AtTheEnd
}

/** A service after the import of a deployment, on the database that the service itself uses. */
export async function startImported(name: DeploymentName, variant: Variant = {}) {
  const { atTheEnd = onTestFinished } = variant
  const { live, sql } = deploymentCalled(name)
  const source = await newProject(sql, atTheEnd)
  if (variant.sql) await source.change(variant.sql(live))
  const startAt = Date.parse(live.generated_at) + 60_000
  const settings = { ...settingsFor(live), ...variant.settings }
  const started = await startAuth(settings, { startAt, atTheEnd })
  const { SECRET_KEY, SECRET_KEY_FALLBACKS } = live.settings
  const secretKeys = [SECRET_KEY, ...SECRET_KEY_FALLBACKS]
  const wish = { table: live.user_table, secretKeys, ...variant.wish }
  const importAgain = (more: Partial<Wish> = {}) =>
    importInto(started, source.url, { ...wish, ...more })
  return { ...started, live, source, report: await importAgain(), importAgain }
}
