import type { SettingName, Settings } from '../settings.ts'

/** A choice that is fine on a developer's machine and unsafe in production. */
export type Check = {
  readonly setting: SettingName
  readonly finding: string
  /** How to fix it: "set it to true". */
  readonly mend: string
  readonly unsafe: (settings: Settings) => boolean
  /** The setting that this default depends on. Fixing that one also fixes this one. */
  readonly cause?: SettingName
}

export const TURN_ON = 'set it to true'
