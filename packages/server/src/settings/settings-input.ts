import type { InputOf } from './setting.ts'
import type { groups, topLevel } from './settings.ts'

type InputsOf<Table> = { readonly [Name in keyof Table]?: InputOf<Table[Name]> }

/**
 * The settings as a program passes them. Missing and undefined settings have their defaults. The build
 * replaces this file: `build/settings-input.js` writes out every setting, so that editors describe it.
 */
export type SettingsInput = InputsOf<typeof topLevel> & {
  readonly [Group in keyof typeof groups]?: InputsOf<(typeof groups)[Group]> | undefined
}
