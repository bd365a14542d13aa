import { Problem } from '../kernel/problems.ts'
import { SettingsError } from '../kernel/settings-error.ts'
import { firstLine } from '../kernel/texts.ts'
import type { Settings } from '../settings/settings.ts'
import { namingDatabase } from '../storage/faults.ts'
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
  return refusal(firstLine(namingDatabase(DATABASE_URL, error)))
}
