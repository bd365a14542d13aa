import { SettingsError } from '../kernel/settings-error.ts'
import { badValue } from './mistakes.ts'
import { type Entry, entries, groupNames, valueAt } from './names.ts'
import { brokenRules } from './rules.ts'
import type { Basis } from './setting.ts'
import type { SettingName, Settings, UncheckedSettings } from './settings.ts'
import { fromObject, type Origin, type Source } from './sources.ts'

type SettingOrigins = Readonly<Record<SettingName, Origin>>

export type LoadedSettings = { readonly settings: Settings; readonly origins: SettingOrigins }

/** The settings of a program that passes them as an object in the shape of the config file. */
export const resolveSettings = (input: UncheckedSettings): Settings =>
  resolveSource(fromObject(input, 'settings')).settings

/** Checks the given values, adds the defaults, and throws if there is any mistake. */
export function resolveSource({ given, mistakes }: Source): LoadedSettings {
  const values = new Map<SettingName, unknown>()
  const refused = new Set<SettingName>()
  const badValues: string[] = []
  for (const entry of entries) {
    const one = given.get(entry.name)
    if (!one) continue
    const parsed = entry.setting.kind.parse(one.raw)
    if ('value' in parsed) values.set(entry.name, parsed.value)
    else {
      refused.add(entry.name)
      badValues.push(...parsed.mistakes.map((wrong) => badValue(entry, wrong, one.where)))
    }
  }

  const settings = withDefaults(values)
  // Two secrets with the same mistake give the same line, since neither is quoted.
  const all = [...mistakes, ...new Set(badValues), ...brokenRules(settings, refused)]
  if (all.length > 0) throw new SettingsError(all)
  return { settings, origins: originsOf(given) }
}

function withDefaults(values: ReadonlyMap<SettingName, unknown>): Settings {
  const givenOrDefault = ({ name, setting }: Entry): unknown =>
    values.has(name) ? values.get(name) : setting.defaultFrom(basis)

  // Looks a value up when a default needs it, since that value may itself be a default.
  const basis = new Proxy({} as Basis, {
    get(_, key) {
      const entry = entries.find((one) => one.key === key)
      if (!entry) throw new Error(`There is no setting ${String(key)}.`)
      return givenOrDefault(entry)
    },
  })

  const valuesOf = (group: string | null) =>
    Object.fromEntries(
      entries
        .filter((entry) => entry.group === group)
        .map((entry) => [entry.key, givenOrDefault(entry)]),
    )
  const grouped = groupNames.map((group) => [group, valuesOf(group)])
  // `entries` lists the same tables that `Settings` is made of.
  return { ...valuesOf(null), ...Object.fromEntries(grouped) } as Settings
}

function originsOf(given: Source['given']): SettingOrigins {
  const origins = entries.map(({ name }) => [name, given.get(name)?.origin ?? 'default'])
  return Object.fromEntries(origins) as SettingOrigins
}

/** Every setting with its value and its origin, for people to read. Secrets are masked. */
export const describeSettings = ({ settings, origins }: LoadedSettings) =>
  entries.map(({ name, env, setting: { kind, doc } }) => ({
    name,
    env,
    value: kind.show(valueAt(settings, name)),
    origin: origins[name],
    doc,
  }))
