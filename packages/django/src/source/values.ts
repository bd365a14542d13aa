import { type Pk, readPk } from '../../../server/src/kernel/ids.ts'
import { parseJson } from '../../../server/src/kernel/json-object.ts'
import { timeOfWallClock } from '../../../server/src/kernel/wall-clock.ts'

/*
 * The databases return the same value in different forms: a time is text on SQLite and a Date on
 * PostgreSQL, and a UUID has dashes only on PostgreSQL. These functions return one form.
 */

/** Without NUL characters, which SQLite stores and PostgreSQL refuses. */
export const textIn = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value).replaceAll('\0', '')

export const flagIn = (value: unknown): boolean => value === true || value === 1

const TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d(?::?\d\d)?)?$/

const OFFSET = /(Z|[+-]\d\d(:?\d\d)?)$/

/** In milliseconds. Text without an offset is in UTC. */
export function timeIn(value: unknown): number | null {
  if (value instanceof Date) return value.getTime()
  const [, day, time, fraction = '', offset = 'Z'] = TIME.exec(textIn(value)) ?? []
  if (day === undefined) return null
  const zone = offset.length === 3 ? `${offset}:00` : offset
  const at = Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`)
  return Number.isNaN(at) ? null : at
}

/** Reads a time without an offset in this zone. Null if the value is not such a time. */
export function localTimeIn(value: unknown, timeZone: string): Date | null {
  const isLocal = typeof value === 'string' && TIME.test(value) && !OFFSET.test(value)
  const at = isLocal ? timeIn(value) : null
  return at === null ? null : new Date(timeOfWallClock(at, timeZone))
}

/** Null if it is neither an id in our range nor a UUID. */
export const pkIn = (value: unknown): Pk | null => readPk(textIn(value))

/** A JSON column is text on SQLite. Undefined if the text is not JSON. */
export const jsonIn = (value: unknown): unknown =>
  typeof value === 'string' ? parseJson(value) : value
