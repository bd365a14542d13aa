import type { SettingName } from './settings.ts'

/** Where a value came from. */
export type Origin = 'default' | 'file' | 'environment' | '--set'

/** A value as it was written, not yet checked. */
export type Given = {
  readonly raw: unknown
  readonly origin: Exclude<Origin, 'default'>
  /** For messages: the name of the file or of the variable. */
  readonly where: string
}

/** The values of one source, and the mistakes in how they are written. */
export type Source = {
  readonly given: ReadonlyMap<SettingName, Given>
  readonly mistakes: readonly string[]
}
