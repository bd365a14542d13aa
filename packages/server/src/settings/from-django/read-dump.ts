import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../kernel/json-object.ts'
import { djangoDefaults } from './django-defaults.ts'
import type { Dump } from './mapping.ts'
import { oldGroups, oldNames } from './old-names.ts'
import { readPython } from './python-literal.ts'
import { withoutPython } from './python-values.ts'

const GROUPS: Readonly<Record<string, string>> = {
  REST_AUTH: 'REST_AUTH',
  SIMPLE_JWT: 'SIMPLE_JWT',
  REST_FRAMEWORK: 'REST_FRAMEWORK',
  ...oldGroups,
}

/** Stands in a dump that was written for dj-rest-auth before 3.0, whose answers had other names. */
export const VERSION_2 = 'dj-rest-auth 2'

/**
 * The settings of a Django project under their newest names, without Django's own defaults. If a
 * project sets both an old name and its successor, the successor counts.
 */
export function readDump(object: object): Dump {
  const given = Object.entries(object).flatMap(([name, value]) => opened(name, value))
  const isOld = ([name]: readonly [string, unknown]) => Object.hasOwn(oldNames, name)
  const old = given.filter(isOld).map(([name, value]) => [oldNames[name] ?? name, value] as const)
  const all = new Map([...old, ...given.filter((entry) => !isOld(entry))])
  const named = [...all].filter(([name, value]) => !isDefault(name, value))
  return new Map(Object.hasOwn(object, 'REST_USE_JWT') ? [...named, [VERSION_2, true]] : named)
}

function opened(name: string, raw: unknown): readonly (readonly [string, unknown])[] {
  const value = withoutPython(typeof raw === 'string' ? (readPython(raw) ?? raw) : raw)
  const group = Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined
  if (!group || !isObject(value)) return [[name, value]]
  return Object.entries(value).map(([key, inside]) => [`${group}.${key}`, inside] as const)
}

const isDefault = (name: string, value: unknown): boolean =>
  Object.hasOwn(djangoDefaults, name) && isDeepStrictEqual(value, djangoDefaults[name])
