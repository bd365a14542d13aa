import { toObject } from '../kernel/setting-kinds/compounds.ts'
import type { Given, Source } from './given.ts'
import { unknownName } from './mistakes.ts'
import { type Entry, findEntry } from './names.ts'
import type { SettingName } from './settings.ts'

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
      // The text is not repeated in the message: it may be a secret.
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
  // An earlier value that is not a record will be refused, and the message about it must not be
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
