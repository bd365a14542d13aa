import { hostMistakes } from '../core/host/host-options.ts'
import { SettingsError } from '../kernel/settings-error.ts'
import { noSuch } from '../kernel/texts.ts'
import { loadInput } from '../settings/load.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { Settings } from '../settings/settings.ts'
import type { SettingsInput } from '../settings/settings-input.ts'
import type { AuthOptions } from './auth.ts'

/** Lists every option. A missing name does not compile. */
const OPTIONS: Readonly<Record<keyof AuthOptions, true>> = {
  hooks: true,
  mail: true,
  passwordRules: true,
  usernameRules: true,
  migrate: true,
  log: true,
  clock: true,
}

/** Refuses with all mistakes of the settings and of the options at once. */
export function checkedSettings(input: SettingsInput, options: AuthOptions): Settings {
  const wrong = [...unknownOptions(options), ...hostMistakes(options), ...mistakesOfLog(options)]
  try {
    const settings = resolveSettings(input)
    if (wrong.length === 0) return settings
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    wrong.unshift(...error.mistakes)
  }
  throw new SettingsError(wrong)
}

/** A misspelt option must not be ignored: it could be a hook that is never called. */
function unknownOptions(options: AuthOptions): string[] {
  const known = Object.keys(OPTIONS)
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  return unknown.map((name) => noSuch('option', name, known))
}

/** A log without its functions would swallow every line. */
function mistakesOfLog({ log }: AuthOptions): string[] {
  if (!log || [log.info, log.warn, log.error].every((say) => typeof say === 'function')) return []
  return ['log: expected an object with the functions info, warn and error']
}

/** Whether the environment says that this is no test. */
export const isProduction = (): boolean => process.env.NODE_ENV === 'production'

/**
 * Loads the settings that `latchkey serve` would have here. They come from the config file
 * (`LATCHKEY_CONFIG`, or `latchkey.config.json`, `.js` or `.mjs` in the working directory) and from
 * the environment.
 */
export const loadSettings = (): Promise<SettingsInput> =>
  loadInput({ env: process.env, sets: [], cwd: process.cwd() })
