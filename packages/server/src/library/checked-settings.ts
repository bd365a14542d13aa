import { hostMistakes } from '../core/host/host-mistakes.ts'
import { nearest } from '../settings/nearest.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { Settings } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'
import type { SettingsInput } from '../settings/settings-input.ts'
import type { AuthOptions } from './options.ts'

/** Every option, once: a name that is missing here does not compile. */
const OPTIONS: Readonly<Record<keyof AuthOptions, true>> = {
  hooks: true,
  mail: true,
  passwordRules: true,
  usernameRules: true,
  migrate: true,
  log: true,
  clock: true,
}

/** Refuses with all mistakes at once, those of the settings and those of the options. */
export function checkedSettings(input: SettingsInput, options: AuthOptions): Settings {
  const wrong = [...unknownOptions(options), ...hostMistakes(options)]
  try {
    const settings = resolveSettings(input)
    if (wrong.length === 0) return settings
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    wrong.unshift(...error.mistakes)
  }
  throw new SettingsError(wrong)
}

/** An option that nobody reads would be a hook that nobody asks. */
function unknownOptions(options: AuthOptions): string[] {
  const known = Object.keys(OPTIONS)
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  return unknown.map((name) => {
    const meant = nearest(name, known)
    return `${name}: no such option${meant ? `; did you mean ${meant}?` : ''}`
  })
}
