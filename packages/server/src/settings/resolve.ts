import { restAuth } from './groups/rest-auth.ts'
import { badValue } from './mistakes.ts'
import { entries, groupNames } from './names.ts'
import { brokenRules } from './rules.ts'
import type { Basis, Setting } from './setting.ts'
import { type SettingName, type Settings, topLevel, type UncheckedSettings } from './settings.ts'
import { SettingsError } from './settings-error.ts'
import type { Origin, Source } from './sources.ts'
import { fromObject } from './sources.ts'

export type Origins = Readonly<Record<SettingName, Origin>>

export type LoadedSettings = { readonly settings: Settings; readonly origins: Origins }

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
      badValues.push(...parsed.refusals.map((refusal) => badValue(entry, refusal, one.where)))
    }
  }

  const settings = withDefaults(values)
  // Two secrets with the same mistake give the same line, since neither is shown.
  const all = [...mistakes, ...new Set(badValues), ...brokenRules(settings, refused)]
  if (all.length > 0) throw new SettingsError(all)
  return { settings, origins: originsOf(given) }
}

function withDefaults(values: ReadonlyMap<SettingName, unknown>): Settings {
  const givenOrDefault = <T>(name: SettingName, setting: Setting<T, unknown>): T =>
    values.has(name) ? (values.get(name) as T) : setting.defaultFrom(basis)

  // Getters, since the default of PUBLIC_URL is made from the others.
  const basis: Basis = {
    get PORT() {
      return givenOrDefault('PORT', topLevel.PORT)
    },
    get AUTH_PREFIX() {
      return givenOrDefault('AUTH_PREFIX', topLevel.AUTH_PREFIX)
    },
    get PAGES_PREFIX() {
      return givenOrDefault('PAGES_PREFIX', topLevel.PAGES_PREFIX)
    },
    get ROUTES() {
      return givenOrDefault('ROUTES', topLevel.ROUTES)
    },
    get PUBLIC_URL() {
      return givenOrDefault('PUBLIC_URL', topLevel.PUBLIC_URL)
    },
    get MODULES() {
      return givenOrDefault('MODULES', topLevel.MODULES)
    },
    get VERSION() {
      return givenOrDefault('REST_AUTH.VERSION', restAuth.VERSION)
    },
    get USE_JWT() {
      return givenOrDefault('REST_AUTH.USE_JWT', restAuth.USE_JWT)
    },
  }

  const valuesOf = (group: string | null) =>
    Object.fromEntries(
      entries
        .filter((entry) => entry.group === group)
        .map(({ name, key, setting }) => [key, givenOrDefault(name, setting)]),
    )
  const grouped = groupNames.map((group) => [group, valuesOf(group)])
  // `entries` lists the same tables that `Settings` is made of.
  return { ...valuesOf(null), ...Object.fromEntries(grouped) } as Settings
}

function originsOf(given: Source['given']): Origins {
  const origins = entries.map(({ name }) => [name, given.get(name)?.origin ?? 'default'])
  return Object.fromEntries(origins) as Origins
}
