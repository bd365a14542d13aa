import { loadInput } from '../settings/load.ts'
import type { SettingsInput } from '../settings/settings-input.ts'

/**
 * The settings that `latchkey serve` would have here: from the config file (`LATCHKEY_CONFIG`, or
 * `latchkey.config.json` or `.js` in the working directory) and the environment.
 */
export const loadSettings = (): Promise<SettingsInput> =>
  loadInput({ env: process.env, sets: [], cwd: process.cwd() })
