import type { SettingName } from './settings.ts'

/** Where a value came from. */
export type Origin = 'default' | 'file' | 'environment' | '--set'

/** A value as somebody wrote it, not yet checked. */
export type Given = {
  readonly raw: unknown
  readonly origin: Exclude<Origin, 'default'>
  /** For messages: the file's name, or the variable's. */
  readonly where: string
}

/** What one source gives, and what is wrong with the way it does. */
export type Source = {
  readonly given: ReadonlyMap<SettingName, Given>
  readonly mistakes: readonly string[]
}
