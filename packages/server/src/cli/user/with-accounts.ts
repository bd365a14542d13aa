import { existsSync } from 'node:fs'
import type { Service } from '../../compose-service.ts'
import type { Accounts } from '../../features/administration/administration.ts'
import { databaseFile } from '../../settings/kinds/connection-urls.ts'
import type { Settings } from '../../settings/settings.ts'
import { pendingMigrations } from '../../storage/migrate.ts'
import { migrations } from '../../storage/migrations/all.ts'
import type { User } from '../../storage/schema.ts'
import { loadFor, type SettingsCall } from '../load-settings.ts'
import { withOpenService } from '../open-service.ts'
import { operatorOf } from '../operator.ts'
import { refusal } from '../refusal.ts'
import { findUser, type UserCall } from './find-user.ts'

const MIGRATE_FIRST = 'Run "latchkey migrate" first.'

/** For commands on an existing database. Reading must not create one. */
export async function withServices(
  call: SettingsCall,
  work: (services: Service['services']) => Promise<void>,
): Promise<void> {
  const { settings } = await loadFor(call)
  const file = databaseFile(settings.DATABASE_URL)
  if (file !== null && !existsSync(file)) {
    throw refusal(`The database ${file} does not exist yet. ${MIGRATE_FIRST}`)
  }
  await withOpenService(settings, async (service) => {
    refuseIfDue(await pendingMigrations(service.connection, migrations))
    await work(service.services)
  })
}

export const withAccounts = (
  call: SettingsCall,
  work: (accounts: Accounts) => Promise<void>,
): Promise<void> =>
  withServices(call, ({ administration }) => work(administration.by(operatorOf(call.io))))

/** Creates the embedded database if needed, since there can be users before the first start. */
export async function withNewDatabase(
  call: SettingsCall,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const { settings } = await loadFor(call)
  await withDatabase(settings, work)
}

export async function withDatabase(
  settings: Settings,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  await withOpenService(settings, async (service) => {
    const pending = await pendingMigrations(service.connection, migrations)
    const isNew = service.connection.engine === 'sqlite' && pending.length === migrations.length
    if (isNew) await service.migrate()
    else refuseIfDue(pending)
    await work(service)
  })
}

export const withNewAccounts = (
  call: SettingsCall,
  work: (accounts: Accounts) => Promise<void>,
): Promise<void> =>
  withNewDatabase(call, ({ services }) => work(services.administration.by(operatorOf(call.io))))

/** Runs the work with the user that the command line names. */
export const withUser = (
  call: UserCall,
  work: (user: User, accounts: Accounts) => Promise<void>,
): Promise<void> =>
  withAccounts(call, async (accounts) => work(await findUser(call, accounts), accounts))

function refuseIfDue(pending: readonly string[]): void {
  if (pending.length === 0) return
  throw refusal(`The database is not up to date (missing: ${pending.join(', ')}). ${MIGRATE_FIRST}`)
}
