import type { Setting } from './setting.ts'
import { groups, type SettingName, type Settings, topLevel } from './settings.ts'

export type Entry = {
  /** `REST_AUTH.USE_JWT` */
  readonly name: SettingName
  /** `REST_AUTH`; null at the top level */
  readonly group: string | null
  /** `USE_JWT` */
  readonly key: string
  /** `REST_AUTH_USE_JWT`, in the environment and, as in Django projects, in a file */
  readonly env: string
  readonly setting: Setting<unknown>
}

type Table = Readonly<Record<string, Setting<unknown>>>

const entriesOf = (group: string | null, table: Table): readonly Entry[] =>
  Object.entries(table).map(([key, setting]) => ({
    // The name is built from keys of the tables, as its type says. `Object.entries` loses that
    // type.
    name: (group ? `${group}.${key}` : key) as SettingName,
    group,
    key,
    env: group ? `${group}_${key}` : key,
    setting,
  }))

export const groupNames: readonly string[] = Object.keys(groups)

export const entries: readonly Entry[] = [
  ...entriesOf(null, topLevel),
  ...Object.entries(groups).flatMap(([group, table]) => entriesOf(group, table)),
]

const byName = new Map<string, Entry>(
  entries.flatMap((entry) => [
    [entry.name, entry],
    [entry.env, entry],
  ]),
)

/** The setting of that name, with a dot or an underscore after the group. */
export const findEntry = (name: string): Entry | undefined => byName.get(name)

export function valueAt(settings: Settings, name: SettingName): unknown {
  // A name is a path in `Settings` by definition. Only the type of the value is unknown.
  const step = (at: unknown, key: string) => (at as Readonly<Record<string, unknown>>)[key]
  return name.split('.').reduce<unknown>(step, settings)
}
