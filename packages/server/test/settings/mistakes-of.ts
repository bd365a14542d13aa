import { SettingsError } from '../../src/kernel/settings-error.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'

/** The lines that a start with these settings would print. */
export function mistakesOf(input: object): readonly string[] {
  try {
    resolveSettings(input)
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
  return []
}
