import { type Pk, readPk } from '../../kernel/ids.ts'

/*
 * The same value has another form in each database: a time is a text on SQLite and a Date on
 * PostgreSQL, a UUID has dashes only there. These functions give one form.
 */

/** Without NUL, which SQLite keeps and PostgreSQL refuses. */
export const textIn = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value).replaceAll('\0', '')

export const flagIn = (value: unknown): boolean => value === true || value === 1

/** In milliseconds. Texts are in UTC, without saying so. */
export function timeIn(value: unknown): number | null {
  if (value instanceof Date) return value.getTime()
  if (typeof value !== 'string' || value === '') return null
  const time = Date.parse(`${value.replace(' ', 'T').slice(0, 23)}Z`)
  return Number.isNaN(time) ? null : time
}

/** Null if it is neither a number that fits nor a UUID. */
export const pkIn = (value: unknown): Pk | null => readPk(textIn(value))

/** A JSON column is a text on SQLite. Undefined if it is no JSON. */
export function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
