import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../server/src/kernel/json-object.ts'
import { isBefore } from '../../../server/src/settings/kinds/version.ts'
import { djangoDefaults, earlierDefaults } from './django-defaults.ts'
import { FACTS, readFacts } from './facts.ts'
import type { Dump } from './mapping.ts'
import { oldGroups, oldNames } from './old-names.ts'
import { readPython } from './python-literal.ts'
import { withoutPython } from './python-values.ts'

export const GROUPS: Readonly<Record<string, string>> = {
  REST_AUTH: 'REST_AUTH',
  SIMPLE_JWT: 'SIMPLE_JWT',
  REST_FRAMEWORK: 'REST_FRAMEWORK',
  JWT_AUTH: 'JWT_AUTH',
  ...oldGroups,
}

/** Marks a dump with names of dj-rest-auth before 3.0. */
export const OLD_NAMES = 'names of dj-rest-auth 2'

/**
 * The settings of a Django project under their newest names, without Django's own defaults. If a
 * project sets both an old name and its successor, the successor counts. What the recipe found
 * out besides the settings is kept under a separate name.
 */
export function readDump({ [FACTS]: written, ...object }: Readonly<Record<string, unknown>>): Dump {
  const facts = readFacts(written)
  // From 3.0 on dj-rest-auth does not read the old names.
  const isDead = (name: string) =>
    facts.version !== null && !isBefore(facts.version, '3') && isOfOldRestAuth(name)
  const entries = Object.entries(object).filter(([name]) => !isDead(name))
  const given = entries.flatMap(([name, value]) => opened(name, value, isObject(written)))
  const isOld = ([name]: readonly [string, unknown]) => Object.hasOwn(oldNames, name)
  const old = given.filter(isOld).map(([name, value]) => [oldNames[name] ?? name, value] as const)
  const all = new Map<string, unknown>([...old, ...given.filter((entry) => !isOld(entry))])
  const named = [...all].filter(([name, value]) => !isDefault(name, value))
  const hasOldNames = entries.some(([name]) => isOfOldRestAuth(name))
  return new Map<string, unknown>([...named, [FACTS, facts], [OLD_NAMES, hasOldNames]])
}

const isOfOldRestAuth = (name: string): boolean =>
  Object.hasOwn(oldGroups, name) ||
  (Object.hasOwn(oldNames, name) && oldNames[name]?.startsWith('REST_AUTH.') === true)

function opened(
  name: string,
  raw: unknown,
  isOfRecipe: boolean,
): readonly (readonly [string, unknown])[] {
  // The recipe writes text as it is. Quotes around it belong to it, for example to a key that Docker
  // has read from an env file.
  const isLiteral = typeof raw === 'string' && !(isOfRecipe && /^\s*['"]/.test(raw))
  const value = withoutPython(isLiteral ? (readPython(raw) ?? raw) : raw)
  const group = Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined
  if (!group || !isObject(value)) return [[name, value]]
  return Object.entries(value).map(([key, inside]) => [`${group}.${key}`, inside] as const)
}

const isDefault = (name: string, value: unknown): boolean =>
  Object.hasOwn(djangoDefaults, name) &&
  [djangoDefaults[name], ...(earlierDefaults[name] ?? [])].some((one) =>
    isDeepStrictEqual(value, one),
  )
