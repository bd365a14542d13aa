import { Problem } from '../kernel/problems.ts'
import { firstLine } from '../kernel/texts.ts'
import { type Settings, topLevel } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'
import { isOfDatabase } from '../storage/faults.ts'
import { CommandRefusal, refusal } from './refusal.ts'

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
  if (!isOfDatabase(error)) return refusal(firstLine(error))
  const url = topLevel.DATABASE_URL.kind.show(DATABASE_URL)
  return refusal(`The database ${url} cannot be used: ${firstLine(error)}`)
}
