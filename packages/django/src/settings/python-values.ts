import { isUtf8 } from 'node:buffer'
import { isObject } from '../../../server/src/kernel/json-object.ts'
import { duration } from '../../../server/src/kernel/setting-kinds/times.ts'
import { readPython } from './python-literal.ts'

const SECONDS = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const

/** `P1DT00H05M00S`, as Django's JSON encoder writes it, and shorter forms. */
const ISO = /^P(?=T?\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

/** `1 day, 0:05:00`, as `str()` writes it. */
const PLAIN = /^(?:(\d+) days?, )?(\d+):(\d\d):(\d\d(?:\.\d+)?)$/

/** `datetime.timedelta(days=1, seconds=300)`, as `repr()` writes it. */
const CALL = /^(?:datetime\.)?timedelta\((.*)\)$/

/** A `timedelta` or a number of seconds in the form of our own settings: `5m`, `1d`. */
export function inOurUnits(value: unknown): string | undefined {
  const seconds = typeof value === 'string' ? secondsIn(value.trim()) : value
  const kind = duration({ least: 0 })
  const parsed = kind.parse(seconds)
  return 'value' in parsed ? kind.show(parsed.value) : undefined
}

function secondsIn(text: string): number | string | undefined {
  const iso = ISO.exec(text)
  if (iso) return total(iso.slice(1))
  const plain = PLAIN.exec(text)
  if (plain) return total(['0', ...plain.slice(1)])
  const call = CALL.exec(text)
  return call ? secondsOfCall(call[1] ?? '') : text
}

/** In the order of `SECONDS`. */
const total = (parts: readonly (string | undefined)[]): number =>
  Object.values(SECONDS).reduce((sum, unit, index) => sum + unit * Number(parts[index] ?? 0), 0)

function secondsOfCall(inside: string): number | undefined {
  const given = new Map<string, string>()
  for (const argument of inside.split(',').filter((one) => one.trim() !== '')) {
    const [, name, amount] = /^\s*(\w+)\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(argument) ?? []
    if (!name || !amount || !Object.hasOwn(SECONDS, name)) return undefined
    given.set(name, amount)
  }
  return total(Object.keys(SECONDS).map((name) => given.get(name)))
}

/** Reads a list. A dump may hold sets and tuples as text: `{'email'}`. Other text is one item. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return value === null || value === undefined ? [] : [value]
  const text = value.trim()
  if (/^(?:set|frozenset)\(\)$/.test(text)) return []
  if (!/^(?:frozenset\()?[[({].*[\])}]\)?$/s.test(text)) return text === '' ? [] : [text]
  return [...text.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double)
}

const BYTES = /^b(?=(['"]).*\1$)/s

/** Whether a dump holds bytes, `b'…'`, that are not text. */
export const isBytes = (value: unknown): boolean => typeof value === 'string' && BYTES.test(value)

/** Keys are often bytes, since they were read from a file. Bytes that are not UTF-8 stay as they are. */
function textOfBytes(value: string): string {
  const literal = BYTES.test(value) ? readPython(value.slice(1)) : undefined
  if (typeof literal !== 'string') return value
  const bytes = Buffer.from(literal, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : value
}

const FLAGS: Readonly<Record<string, boolean>> = { True: true, False: false }

/** A dump may hold classes and flags as text: `<class 'accounts.models.Token'>`, `True`. */
export function withoutPython(value: unknown): unknown {
  if (typeof value === 'string') {
    return Object.hasOwn(FLAGS, value)
      ? FLAGS[value]
      : (/^<class '(.*)'>$/.exec(value)?.[1] ?? textOfBytes(value))
  }
  if (Array.isArray(value)) return value.map(withoutPython)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutPython(one)]))
}
