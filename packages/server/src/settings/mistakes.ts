import { inspect } from 'node:util'
import type { WrongValue } from '../kernel/setting-kinds/kind.ts'
import { nearest } from '../kernel/texts.ts'
import { type Entry, entries, groupNames } from './names.ts'

const LONGEST_QUOTE = 80
const ON_ONE_LINE = { compact: true, breakLength: Number.POSITIVE_INFINITY }

export function badValue(
  { name, setting }: Entry,
  { path, got, expected }: WrongValue,
  where: string,
): string {
  const quoted = setting.kind.secret ? 'a value that is not shown here' : quote(got)
  return `${[name, ...path].join('.')} (${where}): got ${quoted}, expected ${expected}`
}

export function unknownName(name: string, where: string): string {
  const meant = nearestName(name)
  const shown = /^[\w.-]+$/.test(name) ? name : quote(name)
  return `${shown} (${where}): no such setting${meant ? `; did you mean ${meant}?` : ''}`
}

/**
 * Finds the setting that was probably meant: a typing error, another letter case or the wrong
 * group. The result is spelled like the input, with a dot or an underscore after the group.
 */
function nearestName(name: string): string | undefined {
  const spellings = new Map<string, string>([
    ...entries.map((entry) => [entry.key, entry.name] as const),
    ...entries.map(({ env, name: dotted }) => [env, name.includes('.') ? dotted : env] as const),
    ...groupNames.map((group) => [group, group] as const),
  ])
  const candidates = [...spellings.keys()]
  const [whole, last] = [name, name.slice(name.lastIndexOf('.') + 1)].map((spelling) =>
    nearest(spelling.toUpperCase().replaceAll('.', '_'), candidates),
  )
  return spellings.get(whole ?? last ?? '')
}

function quote(got: unknown): string {
  const quoted = typeof got === 'string' ? JSON.stringify(got) : inspect(got, ON_ONE_LINE)
  return quoted.length > LONGEST_QUOTE ? `${quoted.slice(0, LONGEST_QUOTE)}…` : quoted
}
