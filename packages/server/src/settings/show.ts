import { entries, valueAt } from './names.ts'
import type { LoadedSettings } from './resolve.ts'
import type { SettingName } from './settings.ts'
import type { Origin } from './sources.ts'

type SettingRow = {
  readonly name: SettingName
  readonly env: string
  /** Secrets are masked. */
  readonly value: string
  readonly origin: Origin
  readonly doc: string
}

/** Every setting with its value and its origin, for people to read. */
export const describeSettings = ({ settings, origins }: LoadedSettings): readonly SettingRow[] =>
  entries.map(({ name, env, setting: { kind, doc } }) => ({
    name,
    env,
    value: kind.show(valueAt(settings, name)),
    origin: origins[name],
    doc,
  }))
