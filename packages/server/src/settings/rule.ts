import type { SettingName, Settings } from './settings.ts'

/** Something that no setting can be blamed for alone. */
export type Rule = {
  /** The settings it compares; a message begins with the first. */
  readonly about: readonly [SettingName, ...SettingName[]]
  readonly broken: (settings: Settings) => boolean
  readonly says: string
}
