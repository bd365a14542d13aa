import type { SettingName, Settings } from './settings.ts'

/** A rule about several settings together. */
export type Rule = {
  /** The settings that it compares. The message begins with the first. */
  readonly about: readonly [SettingName, ...SettingName[]]
  readonly broken: (settings: Settings) => boolean
  readonly says: string | ((settings: Settings) => string)
}
