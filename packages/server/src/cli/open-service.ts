import { composeService, type Service } from '../compose-service.ts'
import { Problem } from '../kernel/problems.ts'
import { createCommandLogger } from '../server/logger.ts'
import { ensureSecretKey } from '../settings/secret-key.ts'
import { type Settings, topLevel } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'
import { isUnavailable } from '../storage/faults.ts'
import { CommandRefusal, firstLine, refusal } from './refusal.ts'

/** Opens the service, runs the work, and closes the service, so that the process can end. */
export async function withOpenService(
  settings: Settings,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  await explainingFaults(settings, async () => {
    const log = createCommandLogger(settings)
    const service = composeService(ensureSecretKey(settings), { log, hooksElsewhere: true })
    try {
      await service.lookForMove()
      await work(service)
    } finally {
      await service.close()
    }
  })
}

/** Explains errors of the database in the same way for both drivers. */
export async function explainingFaults<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw databaseRefusal(settings, error)
  }
}

function databaseRefusal({ DATABASE_URL }: Settings, error: unknown): unknown {
  const isExplained = [CommandRefusal, Problem, SettingsError].some((kind) => error instanceof kind)
  if (isExplained || !(error instanceof Error)) return error
  // Errors of the drivers have a code. An error without one is our own.
  if (!('code' in error) && !isUnavailable(error)) return refusal(firstLine(error))
  const url = topLevel.DATABASE_URL.kind.show(DATABASE_URL)
  return refusal(`The database ${url} cannot be used: ${firstLine(error)}`)
}
