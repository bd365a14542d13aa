import { isObject } from '../kernel/json-object.ts'
import { toObject } from '../kernel/setting-kinds/compounds.ts'
import { unknownName } from './mistakes.ts'
import { type Entry, entries, findEntry, groupNames } from './names.ts'
import type { SettingName } from './settings.ts'

/** Where a value came from. */
export type Origin = 'default' | 'file' | 'environment' | '--set'

/** A value as it was written, not yet checked. */
export type Given = {
  readonly raw: unknown
  readonly origin: Exclude<Origin, 'default'>
  /** For messages: the name of the file or of the variable. */
  readonly where: string
}

/** The values of one source, and the mistakes in how they are written. */
export type Source = {
  readonly given: ReadonlyMap<SettingName, Given>
  readonly mistakes: readonly string[]
}

/**
 * Settings from an object in the shape of the config file: groups are objects, the rest are keys.
 * `GROUP_NAME` also works as a key. Only own keys are read, so `__proto__` is an unknown name.
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

/** Flattens groups. Undefined values are ignored. */
function namedValues(object: object): readonly (readonly [string, unknown])[] {
  return Object.entries(object)
    .flatMap(([name, value]) =>
      groupNames.includes(name) && isObject(value)
        ? Object.entries(value).map(([key, raw]) => [`${name}.${key}`, raw] as const)
        : [[name, value] as const],
    )
    .filter(([, raw]) => raw !== undefined)
}

export type Environment = Readonly<Record<string, string | undefined>>

const byVariable = new Map(entries.map((entry) => [entry.env, entry]))

/**
 * Settings from environment variables. A variable that begins with the name of a group but is not a
 * setting is a mistake. All other variables belong to other programs. An empty variable is ignored.
 */
export function fromEnvironment(env: Environment): Source {
  const given = new Map<SettingName, Given>()
  const mistakes: string[] = []
  for (const [variable, raw] of Object.entries(env)) {
    if (!raw) continue
    const entry = byVariable.get(variable)
    if (entry) given.set(entry.name, { raw, origin: 'environment', where: 'environment' })
    else if (groupNames.some((group) => variable.startsWith(`${group}_`))) {
      mistakes.push(unknownName(variable, 'environment'))
    }
  }
  return { given, mistakes }
}

const WHERE = '--set'

/**
 * Settings from `--set NAME=value`. A path may lead into a record, so earlier sources are needed.
 */
export function fromCommandLine(
  sets: readonly string[],
  before: ReadonlyMap<SettingName, Given>,
): Source {
  const given = new Map(before)
  const mistakes: string[] = []
  for (const set of sets) {
    const cut = set.indexOf('=')
    if (cut < 1) {
      // The message does not quote the text, since it may be a secret.
      mistakes.push(`${WHERE}: expected NAME=value or GROUP.NAME=value`)
      continue
    }
    const name = set.slice(0, cut)
    const target = findTarget(name)
    if (!target) mistakes.push(unknownName(name, WHERE))
    else give(given, target, set.slice(cut + 1))
  }
  return { given, mistakes }
}

/** A setting and, for a record, the path to a key in it. */
type Target = { readonly entry: Entry; readonly path: readonly string[] }

function findTarget(name: string): Target | undefined {
  const parts = name.split('.')
  for (const length of [1, 2]) {
    const entry = findEntry(parts.slice(0, length).join('.'))
    const path = parts.slice(length)
    if (entry && (path.length === 0 || entry.setting.kind.record)) return { entry, path }
  }
  return undefined
}

function give(given: Map<SettingName, Given>, { entry, path }: Target, text: string): void {
  const former = path.length > 0 ? given.get(entry.name) : undefined
  // An earlier value that is not a record will be refused. Keep it, so that the message is not
  // lost.
  if (former && !toObject(former.raw)) return
  given.set(entry.name, {
    raw: replaceAt(former?.raw, path, text),
    origin: '--set',
    where: former && former.where !== WHERE ? `${former.where} and ${WHERE}` : WHERE,
  })
}

/** A copy of the record with the new value at the path. */
function replaceAt(record: unknown, [key, ...deeper]: readonly string[], value: string): unknown {
  if (key === undefined) return value
  const keys = new Map(Object.entries(toObject(record) ?? {}))
  return Object.fromEntries(keys.set(key, replaceAt(keys.get(key), deeper, value)))
}
