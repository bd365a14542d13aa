import { composeService, type Service } from '../compose-service.ts'
import { createCommandLogger } from '../server/logger.ts'
import { databaseFile } from '../settings/kinds/connection-urls.ts'
import { ensureSecretKey } from '../settings/secret-key.ts'
import type { Settings } from '../settings/settings.ts'
import { pendingMigrations } from '../storage/migrate.ts'
import { migrations } from '../storage/migrations/all.ts'
import { isInMemory, isThere } from './database-file.ts'
import { explainingFaults } from './explaining-faults.ts'
import { loadFor, type SettingsCall } from './load-settings.ts'
import { refusal } from './refusal.ts'

/** Opens the service, runs the work, and closes the service, so that the process can end. */
export async function withOpenService<T>(
  settings: Settings,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  return explainingFaults(settings, async () => {
    const log = createCommandLogger(settings)
    const service = composeService(ensureSecretKey(settings), { log })
    try {
      await service.freezeIfMoved()
      return await work(service)
    } finally {
      await service.close()
    }
  })
}

const MIGRATE_FIRST = 'Run "latchkey migrate" first.'

/** For commands on an existing database. Reading must not create one. */
export async function withServices(
  call: SettingsCall,
  work: (services: Service['services']) => Promise<void>,
): Promise<void> {
  const { settings } = await loadFor(call)
  refuseInMemory(settings)
  const file = databaseFile(settings.DATABASE_URL)
  if (file !== null && !isThere(file)) {
    throw refusal(`The database ${file} does not exist yet. ${MIGRATE_FIRST}`)
  }
  await withOpenService(settings, async (service) => {
    refuseIfDue(await pendingMigrations(service.connection, migrations))
    await work(service.services)
  })
}

/** Creates the embedded database if needed, since there can be users before the first start. */
export async function withDatabase(
  settings: Settings,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  refuseInMemory(settings)
  await withOpenService(settings, async (service) => {
    const pending = await pendingMigrations(service.connection, migrations)
    const isNew = service.connection.engine === 'sqlite' && pending.length === migrations.length
    if (isNew) await service.migrate()
    else refuseIfDue(pending)
    await work(service)
  })
}

/** Whatever the command did there would be gone. */
export function refuseInMemory({ DATABASE_URL }: Settings): void {
  if (!isInMemory(DATABASE_URL)) return
  throw refusal(
    'A database in memory ends with this command. Set DATABASE_URL to a file or a server.',
  )
}

function refuseIfDue(pending: readonly string[]): void {
  if (pending.length === 0) return
  throw refusal(`The database is not up to date (missing: ${pending.join(', ')}). ${MIGRATE_FIRST}`)
}
