import { SettingsError } from '../../../server/src/kernel/settings-error.ts'
import { findEntry } from '../../../server/src/settings/names.ts'
import { resolveSettings } from '../../../server/src/settings/resolve.ts'
import type { UncheckedSettings } from '../../../server/src/settings/settings.ts'
import {
  type Carried,
  type Dump,
  isOff,
  type Mapping,
  type Note,
  note,
  UNREADABLE,
} from './mapping.ts'
import { isInAGroup, mappings } from './mappings.ts'
import { isBytes } from './python-values.ts'
import { GROUPS, readDump } from './read-dump.ts'
import type { ProviderCheck } from './socialaccount.ts'

export type Converted = {
  /** In the form of the config file. The service starts with it. */
  readonly settings: UncheckedSettings
  /** How many settings there are. */
  readonly count: number
  readonly notes: readonly Note[]
}

/**
 * The settings of a Django project under our names, and a note for everything that could not be
 * carried over. A value that our table of settings does not know or refuses becomes a note, too.
 */
export function fromDjango(object: object, check: ProviderCheck): Converted {
  const dump = readDump(object as Readonly<Record<string, unknown>>)
  const table = mappings(check)
  const outcomes = table.flatMap((mapping) => mapping.carry(dump))
  const notes: Note[] = [...unknownNames(dump, table)]
  const values = new Map<string, unknown>()
  for (const one of outcomes) {
    if ('note' in one) notes.push(one)
    else notes.push(...keep(one, values))
  }
  notes.push(...dropWhatRulesRefuse(values))
  return { settings: inGroups(values), count: values.size, notes }
}

function unknownNames(dump: Dump, table: readonly Mapping[]): readonly Note[] {
  const known = new Set(table.flatMap(({ from }) => from))
  const unreadable = Object.keys(GROUPS).filter((name) => !isOff(dump.get(name) ?? null))
  return [
    ...unreadable.map((name) => note(name, UNREADABLE)),
    ...[...dump.keys()]
      .filter((name) => isInAGroup(name) && !known.has(name))
      .map((name) => note(name, 'is unknown and is left out')),
  ]
}

/** Keeps the value if there is such a setting and it accepts the value. */
function keep({ setting, value, about }: Carried, values: Map<string, unknown>): readonly Note[] {
  const entry = findEntry(setting)
  if (!entry) return [note(about, 'has no counterpart and is left out')]
  if (values.has(entry.name)) return []
  if (isBytes(value)) return [note(about, `is left out; ${entry.name} must be text, not bytes`)]
  const parsed = entry.setting.kind.parse(value)
  if ('mistakes' in parsed) {
    const lines = parsed.mistakes.map(
      ({ path, expected }) => `is left out; ${[entry.name, ...path].join('.')} must be ${expected}`,
    )
    return [...new Set(lines)].map((line) => note(about, line))
  }
  values.set(entry.name, value)
  return []
}

/** Removes settings that contradict others, one by one, until no rule is broken. */
function dropWhatRulesRefuse(values: Map<string, unknown>): readonly Note[] {
  const notes: Note[] = []
  for (;;) {
    const mistakes = mistakesIn(values)
    const lines = mistakes.flatMap((line) => blame(line, values))
    for (const { about } of lines) values.delete(about)
    if (mistakes.length === 0) return notes
    if (lines.length === 0) throw new SettingsError(mistakes)
    notes.push(...lines)
  }
}

/** The first given setting that the line names. A line begins with the setting that is wrong. */
function blame(line: string, values: ReadonlyMap<string, unknown>): readonly Note[] {
  const culprit = line.split(/[^\w.]+/).find((word) => values.has(word))
  return culprit === undefined
    ? []
    : [note(culprit, `is left out: ${line.replace(`${culprit}: `, 'it ').replace(': ', ' ')}`)]
}

function mistakesIn(values: ReadonlyMap<string, unknown>): readonly string[] {
  try {
    resolveSettings(inGroups(values))
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
}

function inGroups(values: ReadonlyMap<string, unknown>): UncheckedSettings {
  const settings: Record<string, unknown> = {}
  for (const [name, value] of values) {
    const [group, key] = name.split('.')
    if (group === undefined) continue
    if (key === undefined) settings[name] = value
    else settings[group] = { ...(settings[group] as object | undefined), [key]: value }
  }
  return settings
}
