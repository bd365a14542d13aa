import type { SettingName, Settings } from '../settings.ts'

/** A choice that is fine on a developer's machine and unsafe in production. */
export type Finding = {
  readonly setting: SettingName
  readonly finding: string
  /** What to do about it. */
  readonly mend: string
}

export type Check = Finding & {
  readonly unsafe: (settings: Settings) => boolean
  /** The setting that this default depends on. Mending that one mends this one. */
  readonly cause?: SettingName
}

export const TURN_ON = 'set it to true'
