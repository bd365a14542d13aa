import { resolveSettings } from '../../src/settings/resolve.ts'
import { SettingsError } from '../../src/settings/settings-error.ts'

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
