import type { InputOf } from './setting.ts'
import type { groups, topLevel } from './settings.ts'

type InputsOf<Table> = { readonly [Name in keyof Table]?: InputOf<Table[Name]> }

/** The settings as a program writes them. What is missing or undefined has its default. */
export type SettingsInput = InputsOf<typeof topLevel> & {
  readonly [Group in keyof typeof groups]?: InputsOf<(typeof groups)[Group]> | undefined
}
