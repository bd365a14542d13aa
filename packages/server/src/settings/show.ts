import { entries, valueAt } from './names.ts'
import type { LoadedSettings } from './resolve.ts'

/** Every setting with its value and its origin, for people to read. Secrets are masked. */
export const describeSettings = ({ settings, origins }: LoadedSettings) =>
  entries.map(({ name, env, setting: { kind, doc } }) => ({
    name,
    env,
    value: kind.show(valueAt(settings, name)),
    origin: origins[name],
    doc,
  }))
