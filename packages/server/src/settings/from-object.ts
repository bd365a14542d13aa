import { isObject } from '../kernel/json-object.ts'
import type { Given, Source } from './given.ts'
import { unknownName } from './mistakes.ts'
import { findEntry, groupNames } from './names.ts'
import type { SettingName } from './settings.ts'

/**
 * Settings from an object in the shape of the config file: groups are objects, the rest are keys.
 * `GROUP_NAME` as a key works, too. Only own keys count, so `__proto__` is a name like any other.
 */
export function fromObject(object: object, where: string): Source {
  const given = new Map<SettingName, Given>()
  const mistakes: string[] = []
  for (const [name, raw] of namedValues(object)) {
    const entry = findEntry(name)
    if (groupNames.includes(name)) {
      mistakes.push(`${name} (${where}): expected an object with the settings of this group`)
    } else if (!entry) mistakes.push(unknownName(name, where))
    else if (given.has(entry.name)) mistakes.push(`${entry.name} (${where}): is given twice`)
    else given.set(entry.name, { raw, origin: 'file', where })
  }
  return { given, mistakes }
}

/** Flattens groups. Undefined values count as not given. */
function namedValues(object: object): readonly (readonly [string, unknown])[] {
  return Object.entries(object)
    .flatMap(([name, value]) =>
      groupNames.includes(name) && isObject(value)
        ? Object.entries(value).map(([key, raw]) => [`${name}.${key}`, raw] as const)
        : [[name, value] as const],
    )
    .filter(([, raw]) => raw !== undefined)
}
